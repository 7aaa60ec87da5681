import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { fake } from '../../tests/support/fake.js'
import type { LabAccess } from '../connect.js'
import type { Inventory } from '../inventory/inventory.js'
import type { SecretsBundle } from '../secrets/bundle.js'
import { generateBundle } from '../secrets/generate.js'
import { clientCertificate } from '../talos/clientconfig/client-certificate.js'
import type { World } from '../world.js'
import { isStale, writeAccess } from './access-files.js'
import type { Context } from './frame/context.js'

const memory = { bootstrapped: true, values: {} }
let folder = ''
let bundle: SecretsBundle
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'access-'))
  bundle = await generateBundle('v1.13')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const day = 24 * 3_600_000
const yearly = { kubeconfig: 'certificate', talosconfig: 'certificate', lifetime: 365 * day } as const

function write(
  addresses: readonly string[],
  vip?: string,
  socks?: string,
  warningDays = 30,
  clientFiles: Inventory['settings']['client_files'] = yearly,
  lab?: LabAccess,
): Promise<string[]> {
  const inventory = fake<Inventory>({
    folder,
    settings: {
      cluster_name: 'dev',
      network: vip === undefined ? {} : { vip },
      proxmox: socks === undefined ? {} : { socks },
      observability: { certificate_warning_days: warningDays },
      client_files: clientFiles,
    },
    machines: addresses.map((address, i) => ({ name: `cp-${i + 1}`, role: 'controlplane', address })),
  })
  const world = fake<World>({ secrets: { find: async () => ({ bundle, memory }) } })
  const context = fake<Context>({ cwd: folder, signal: AbortSignal.timeout(5000) })
  return writeAccess({ inventory, world, lab }, context)
}

const read = (name: string) => readFile(join(folder, name), 'utf8')

test('client access is written once, and again when the cluster is found elsewhere', async () => {
  expect(await write(['10.0.0.1'])).toEqual(['talosconfig', 'kubeconfig', '.gitignore'])
  expect(await read('.gitignore')).toContain('\nkubeconfig\n')
  expect((await stat(join(folder, 'kubeconfig'))).mode & 0o777).toBe(0o600)
  expect(await write(['10.0.0.1'])).toEqual([])

  expect(await write(['10.0.0.1', '10.0.0.2', '10.0.0.3'], '10.0.0.9')).toEqual(['talosconfig', 'kubeconfig'])
  expect(await read('kubeconfig')).toContain('server: https://10.0.0.9:6443')
  expect(await read('talosconfig')).toContain('- 10.0.0.3')
  expect(await write(['10.0.0.1', '10.0.0.2', '10.0.0.3'], '10.0.0.9')).toEqual([])
})

test('a kubeconfig behind a proxy names it, and follows when it moves', async () => {
  expect(await write(['10.0.0.1'], undefined, 'socks5h://127.0.0.1:1080')).toContain('kubeconfig')
  expect(await read('kubeconfig')).toContain('proxy-url: socks5://127.0.0.1:1080')
  expect(await write(['10.0.0.1'], undefined, 'socks5h://127.0.0.1:1080')).toEqual([])
  expect(await write(['10.0.0.1'], undefined, 'socks5h://127.0.0.1:1081')).toEqual(['kubeconfig'])
  expect(await write(['10.0.0.1'])).toEqual(['kubeconfig'])
  expect(await read('kubeconfig')).not.toContain('proxy-url')
})

// Seen: talosctl and OpenTofu's provider reach a node of a lab by its loopback address alone, without a proxy.
test('the talosconfig of a lab names the addresses on this computer, and the node by its own', async () => {
  const lab = fake<LabAccess>({
    socks: { host: '127.0.0.1', port: 1080 },
    loopbacksOf: async (addresses: readonly string[]) => addresses.map((address) => address.replace('10.0.', '127.9.')),
  })
  const writing = () => write(['10.0.0.1', '10.0.0.2'], undefined, undefined, 30, yearly, lab)
  expect(await writing()).toContain('talosconfig.lab')
  const { contexts } = parse(await read('talosconfig.lab')) as { contexts: Record<string, object> }
  expect(contexts.dev).toMatchObject({ endpoints: ['127.9.0.1', '127.9.0.2'], nodes: ['10.0.0.1'] })
  expect(await writing()).toEqual([])
})

test('a certificate is recreated a month before it ends, and where it is of another cluster', async () => {
  const now = new Date()
  const lasting = async (days: number) =>
    (await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours: days * 24, now })).crt
  const { os, k8s } = bundle.certs
  expect(isStale(undefined, os.crt, now)).toBe(true)
  expect(isStale(await lasting(31), os.crt, now)).toBe(false)
  expect(isStale(await lasting(29), os.crt, now)).toBe(true)
  expect(isStale(await lasting(365), k8s.crt, now)).toBe(true)
})

test('a certificate is renewed when status begins to warn, and new ones are not renewed at once', async () => {
  await write(['10.0.0.1'])
  const now = new Date()
  const { crt } = await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours: 60 * 24, now })
  const text = await read('talosconfig')
  const ending = text.replace(/crt: \S+/, `crt: ${Buffer.from(crt).toString('base64')}`)
  await writeFile(join(folder, 'talosconfig'), ending)
  expect(await write(['10.0.0.1'])).toEqual([])
  expect(await write(['10.0.0.1'], undefined, undefined, 90)).toEqual(['talosconfig'])
  expect(await write(['10.0.0.1'], undefined, undefined, 1000)).toEqual([])
})

test('a kubeconfig that calls ichor holds no key, and replaces one that does; what is not wanted is not written', async () => {
  const files = (kubeconfig: 'certificate' | 'exec' | 'none') => ({ ...yearly, kubeconfig })
  const writing = (kubeconfig: 'certificate' | 'exec' | 'none') =>
    write(['10.0.0.1'], undefined, undefined, 30, files(kubeconfig))
  await writing('certificate')
  expect(await writing('exec')).toEqual(['kubeconfig'])
  expect(await read('kubeconfig')).toContain('command: ichor')
  expect(await read('kubeconfig')).not.toMatch(/client-(key|certificate)-data/)
  expect(await writing('exec')).toEqual([])
  await rm(join(folder, 'kubeconfig'))
  expect(await writing('none')).toEqual([])
  expect(await writing('certificate')).toEqual(['kubeconfig'])
})

test('certificates of hours are renewed after half of their life, not by every run', async () => {
  const hours = { ...yearly, lifetime: 12 * 3_600_000 }
  await rm(join(folder, 'kubeconfig'))
  expect(await write(['10.0.0.1'], undefined, undefined, 30, hours)).toEqual(['kubeconfig'])
  expect(await write(['10.0.0.1'], undefined, undefined, 30, hours)).toEqual([])
})

test('a file that cannot be written is named, and no bug of ichor', async () => {
  const path = join(folder, 'kubeconfig')
  await rm(path)
  await mkdir(path)
  await expect(write(['10.0.0.1'])).rejects.toMatchObject({ code: 'file', where: path })
})
