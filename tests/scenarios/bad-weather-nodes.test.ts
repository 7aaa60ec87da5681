import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { type RunningLab, runLab } from '../../src/lab/index.js'
import { anInventoryFolder, aTopology, clusterYaml } from '../support/lab.js'

let folder: string
let lab: RunningLab
const env = () => ({ HOME: folder, XDG_CONFIG_HOME: folder, ICHOR_LAB_DIR: join(folder, 'lab') })

beforeAll(async () => {
  folder = await anInventoryFolder({ 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) })
  lab = await runLab({ topology: aTopology(), speed: 500 }, env())
  expect(await onCluster('up', '--yes')).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await lab.close()
  await rm(folder, { recursive: true, force: true })
})

async function ichor(...words: string[]) {
  let text = ''
  const output = {
    write: (more: string) => {
      text += more
    },
  }
  const code = await main(words, commands, {
    stdout: output,
    stderr: output,
    stdin: process.stdin,
    env: env(),
    cwd: folder,
    signal: AbortSignal.timeout(55_000),
    program: 'ichor',
  })
  return { code, text }
}

const onCluster = (...words: string[]) => ichor(...words, '-i', folder, '--lab')
const fault = (name: string, machine: string, ...more: string[]) =>
  ichor('lab', 'fault', name, '--machine', machine, ...more)
const events = () => lab.lab.ledger.entries().map(({ event }) => event)

test('nothing of a healthy cluster is passed over', async () => {
  const { text } = await onCluster('health', '--all')
  expect(text).toMatch(/Healthy: \d+ checks passed\./)
  expect(text).toContain('ok not found: A node does not use its whole system disk')
})

test.each([
  { kind: 'expire-certificate', says: /expired/, undo: ['renew-certificate'], more: [] },
  { kind: 'close-api', says: /refused|closed|reach/i, undo: ['open-api'], more: [] },
  {
    kind: 'clock-behind',
    says: /no answer|certificate/,
    undo: ['clock-ahead', '--ms', '0'],
    more: ['--ms', '315360000000'],
  },
])('$kind is met by whoever asks the machine, until $undo', async ({ kind, says, undo, more }) => {
  expect(await fault(kind, 'dev-wk-1', ...more)).toMatchObject({ code: 0 })
  const met = await onCluster('logs', 'dev-wk-1')
  expect(met.code).toBe(1)
  expect(met.text).toMatch(says)
  expect(met.text).toContain('dev-wk-1')
  const [ending = '', ...value] = undo
  expect(await fault(ending, 'dev-wk-1', ...value)).toMatchObject({ code: 0 })
  expect(await onCluster('logs', 'dev-wk-1')).toMatchObject({ code: 0 })
})

test('a machine hangs and wakes', async () => {
  await fault('hang', 'dev-wk-1')
  expect(events()).toContain('machine.hung')
  await fault('wake', 'dev-wk-1')
  expect(events()).toContain('machine.woke')
})

test('an etcd out of space is what health complains about', async () => {
  expect(await fault('etcd-slow', 'dev-cp-1', '--ms', '100')).toMatchObject({ code: 0 })
  expect(await fault('etcd-no-space', 'dev-cp-1')).toMatchObject({ code: 0 })
  const { code, text } = await onCluster('health')
  expect(code).toBe(4)
  expect(text).toContain('the database of dev-cp-1 has reached its limit')
})

test('the next boot takes the old slot, and an image is broken', async () => {
  expect(await fault('boot-old-slot', 'dev-wk-1')).toMatchObject({ code: 0 })
  expect(await ichor('lab', 'fault', 'break-image', '--image', 'factory.talos.dev/installer/x:v9')).toMatchObject({
    code: 0,
  })
})

test.each([
  { words: ['hang'], says: 'hang needs --machine.' },
  { words: ['hang', '--machine', 'dev-wk-1', '--vmid', '1'], says: 'hang takes no --vmid.' },
  { words: ['hagn'], says: 'Did you mean hang?' },
  {
    words: ['hang', '--machine', 'dev-cp-9'],
    says: 'No machine "dev-cp-9" has power in this lab; these have: dev-cp-1, dev-wk-1.',
  },
  {
    words: ['etcd-no-space', '--machine', 'dev-wk-1'],
    says: 'is no member of an etcd.',
  },
  { words: ['host-offline', '--host', 'pve9'], says: 'The lab has no host "pve9"; it has pve1.' },
  {
    words: ['fill-storage', '--storage', 'pve1/nothing'],
    says: 'The lab has no storage "nothing"; it has local, local-lvm.',
  },
])('lab fault $words is refused with what there is', async ({ words, says }) => {
  const { code, text } = await ichor('lab', 'fault', ...words)
  expect(code).toBe(2)
  expect(text).toContain(says)
})
