import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { objectsInEtcd } from '../support/etcd-objects.js'
import { aTopology, clusterYaml, mutatingCalls } from '../support/lab.js'
import { bootstraps } from '../support/left-behind.js'
import { aConfigMap, aProgram, type Program } from '../support/program.js'

let program: Program
afterEach(() => program.close())

const databasePath = '/var/lib/etcd/member/snap/db'

async function writeStream(file: string, stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  const path = join(program.folder, file)
  await writeFile(path, Buffer.concat(parts))
  return path
}

const kept = '/registry/configmaps/default/kept'
const newer = '/registry/configmaps/default/newer'

test('files of others: a snapshot of talosctl, and with --skip-hash-check a raw copy of a database', async () => {
  const options = { topology: aTopology({ hosts: 3 }), speed: 1000 }
  program = await aProgram({ 'cluster.yaml': clusterYaml({ workers: 0 }) }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  await program.apply(aConfigMap('kept'))
  const { world } = await program.connect()
  const node = world.talos.node({ machine: 'dev-cp-1', address: '10.0.10.10' })
  const signal = AbortSignal.timeout(50_000)
  const snapshot = await writeStream('etcd.snapshot', node.etcd.snapshot(signal))
  const raw = await writeStream('db', node.readFile(databasePath, signal))
  const objects = async () => objectsInEtcd((await program.connect()).world)

  for (const [file, ...flags] of [[snapshot], [raw, '--skip-hash-check']]) {
    await program.apply(aConfigMap('newer'))
    expect((await objects()).has(newer)).toBe(true)
    if (flags.length > 0) {
      const before = mutatingCalls(program.lab().lab).length
      const refused = await program.ichor(['restore', '--foreign', raw, '--over-healthy', '--yes', '--json'])
      expect(refused.code).toBe(3)
      expect(refused.json().at(-1)).toMatchObject({ error: { fix: expect.stringContaining('--skip-hash-check') } })
      expect(mutatingCalls(program.lab().lab)).toHaveLength(before)
    }
    const words = ['restore', '--foreign', file ?? '', ...flags, '--over-healthy', '--yes']
    const restored = await program.ichor(words)
    expect(restored).toMatchObject({ code: 0 })
    const now = await objects()
    expect([now.has(kept), now.has(newer)]).toEqual([true, false])
  }
  // What was there is saved before, each time.
  const stored = await readdir(join(program.folder, 'backups.lab'))
  expect(stored.filter((name) => name.endsWith('.etcd.age'))).toHaveLength(2)
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
})

test('addresses from DHCP and machines from templates: all hosts emptied, the same objects come back', async () => {
  const dhcp = [
    { bridge: 'vmbr0', cidr: '10.0.10.0/24', gateway: '10.0.10.254', dns: [], reservations: [], poolOffset: 100 },
  ]
  const options = { topology: aTopology({ hosts: 3, dhcp }), speed: 1000 }
  const yaml = clusterYaml({ controlPlanes: 3, workers: 1, extra: 'talos: { boot: template }\n' }).replace(
    /network:\n(?: {2}.*\n)+/,
    'network:\n  mode: dhcp\n  vip: 10.0.10.5\n',
  )
  program = await aProgram({ 'cluster.yaml': yaml }, options)
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  const address = async () => {
    const [status] = (await program.ichor(['status', '--json'])).json() as [{ machines: Record<string, string>[] }]
    return status.machines.find(({ name }) => name === 'dev-cp-1')?.address ?? ''
  }
  const objects = async () => objectsInEtcd((await program.connect()).world, await address())
  const before = await objects()
  const { snapshot } = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  await program.loseEverything()
  expect(await program.ichor(['restore', snapshot.name, '--yes'])).toMatchObject({ code: 0 })
  const after = await objects()
  for (const [key, object] of before) expect({ key, object: after.get(key) }).toEqual({ key, object })
  expect(bootstraps(program.lab().lab)).toBe(1)
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
})
