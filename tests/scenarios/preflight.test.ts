import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyFault } from '../../src/lab/faults/index.js'
import { aTopology, clusterYaml } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

/** What the inventory names and the site lacks is reported before anything is changed, all at once. */
let program: Program
const yaml = clusterYaml({ controlPlanes: 1, workers: 1, extra: 'secrets: plain\n' })

beforeAll(async () => {
  program = await aProgram({ 'cluster.yaml': yaml }, { topology: aTopology({ hosts: 2 }), speed: 1500 })
})
afterAll(() => program.close())

const changes = () =>
  program
    .lab()
    .lab.ledger.entries()
    .filter(({ event, mutating }) => event === 'call' && mutating)

async function refusedWith(text: string) {
  await writeFile(join(program.folder, 'cluster.yaml'), text)
  const before = changes().length
  const [plan, up] = [await program.ichor(['plan']), await program.ichor(['up', '--yes'])]
  expect([plan.code, up.code]).toEqual([3, 3])
  expect(up.stderr).toBe(plan.stderr)
  expect(changes()).toHaveLength(before)
  return plan.stderr
}

test.each([
  ['a bridge', ['proxmox:\n', 'proxmox:\n  bridge: vmbr7\n'], 'have no bridge vmbr7', 'Did you mean vmbr0?'],
  ['a storage', ['local-lvm', 'local-lvn'], 'No host has a storage local-lvn', 'Did you mean local-lvm?'],
  ['the content of a storage', ['local-lvm', 'local'], 'local does not allow disks of machines', 'Write local-lvm'],
  ['a host', ['proxmox:\n', 'proxmox:\n  target_nodes: [pve1, pve7]\n'], 'names pve7', 'Correct the name'],
  ['a pinned host', ['secrets:', 'placement: { pinned: { dev-wk-1: pve9 } }\nsecrets:'], 'names pve9', 'Correct'],
  ['a release of Talos', ['v1.13.9', 'v1.13.42'], 'has no Talos v1.13.42', 'is v1.13.9'],
  [
    'an extension',
    ['secrets:', 'talos: { extensions: [iscsi-tool] }\nsecrets:'],
    'has no extension siderolabs/iscsi-tool for Talos v1.13.9',
    'Did you mean siderolabs/iscsi-tools?',
  ],
  [
    'what a guest is to have',
    [
      'secrets:',
      'guests: [{ name: nas, cpu: 1, ram: 1G, disk: 4G, host: pve1, create: true, bridge: vmbr3 }]\nsecrets:',
    ],
    'pve1 has no bridge vmbr3',
    'Did you mean vmbr0?',
  ],
])('%s that does not exist is named with its line and what to write', async (_, [from = '', to = ''], says, fix) => {
  const shown = await refusedWith(yaml.replace(from, to))
  expect(shown).toContain(says)
  expect(shown).toMatch(/cluster\.yaml:\d+:\d+/)
  expect(shown).toContain(fix)
})

test('several at once are reported at once', async () => {
  const shown = await refusedWith(
    yaml
      .replace('local-lvm', 'fast')
      .replace('proxmox:\n', 'proxmox:\n  bridge: vmbr7\n')
      .replace('secrets:', 'talos: { extensions: [nothing-like-it] }\nsecrets:'),
  )
  for (const name of ['fast', 'vmbr7', 'nothing-like-it']) expect(shown).toContain(name)
})

test('media that do not exist are reported with the rest, each of them', async () => {
  const media =
    'talos: { boot: iso, iso: "local:iso/none.iso" }\nguests: [{ name: nas, cpu: 1, ram: 1G, disk: 4G, host: pve1, create: true, iso: "local:iso/nas.iso" }]\n'
  const shown = await refusedWith(yaml.replace('local-lvm', 'fast').replace('secrets:', `${media}secrets:`))
  for (const name of ['fast', 'local:iso/none.iso', 'local:iso/nas.iso']) expect(shown).toContain(name)
  const alone = await refusedWith(yaml.replace('secrets:', `${media}secrets:`))
  for (const name of ['local:iso/none.iso', 'local:iso/nas.iso']) expect(alone).toContain(name)
})

test('that Proxmox has no quorum is reported in the plan, with the rest', async () => {
  await applyFault(program.lab().lab, 'lose-quorum', {})
  expect(await refusedWith(yaml)).toContain('has lost its quorum')
  const shown = await refusedWith(yaml.replace('proxmox:\n', 'proxmox:\n  bridge: vmbr7\n'))
  for (const name of ['has lost its quorum', 'vmbr7']) expect(shown).toContain(name)
  await applyFault(program.lab().lab, 'regain-quorum', {})
})

test('a list of images does not look at what only a change needs', async () => {
  await writeFile(join(program.folder, 'cluster.yaml'), yaml.replace('proxmox:\n', 'proxmox:\n  bridge: vmbr7\n'))
  expect(await program.ichor(['image', 'list'])).toMatchObject({ code: 0 })
})

test('a factory that does not answer is a note, and the plan is shown', async () => {
  await writeFile(join(program.folder, 'cluster.yaml'), yaml)
  await applyFault(program.lab().lab, 'status', { surface: 'factory', times: 20, code: 501, message: 'no' })
  const { code, stdout } = await program.ichor(['plan'])
  expect(code).toBe(0)
  expect(stdout.replace(/\s+/g, ' ')).toContain('note The Image Factory could not be asked for its versions')
})

test('without changes no bridge is asked for', async () => {
  await program.loseEverything()
  expect(await program.ichor(['up', '--yes'])).toMatchObject({ code: 0 })
  const asked = () =>
    program
      .lab()
      .lab.proxmox.requests()
      .filter(({ path }) => path.endsWith('/network'))
  const before = asked().length
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
  expect(asked()).toHaveLength(before)
})

test('another pod network on a running cluster is refused with the way out, and nothing is changed', async () => {
  const shown = await refusedWith(yaml.replace('secrets:', 'addons: { cilium: true }\nsecrets:'))
  expect(shown.replace(/\s+/g, ' ')).toContain('another pod network (CNI) than dev-cp-1, dev-wk-1')
  expect(shown).toContain('make a new cluster')
  await writeFile(join(program.folder, 'cluster.yaml'), yaml)
  expect(await program.ichor(['plan', '--exit-code'])).toMatchObject({ code: 0 })
})

test('every step of a command that changes a cluster can be seen first', async () => {
  const shown = await program.ichor(['reboot', 'dev-wk-1', '--dry-run'])
  expect(shown.stdout).toContain('the same command with --dry-run --steps')
  expect((await program.ichor(['reboot', 'dev-wk-1', '--dry-run', '--steps'])).stdout).toContain('drain dev-wk-1')
})
