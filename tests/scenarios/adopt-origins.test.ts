import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, expect, test } from 'vitest'
import { formatBundle } from '../../src/secrets/bundle-file.js'
import { generateBundle } from '../../src/secrets/generate.js'
import { sealText } from '../../src/secrets/sealed-text.js'
import { aForeignMachine, foreignTalosconfig } from '../support/foreign-cluster.js'
import { aForeignEnvironment, type ForeignEnvironment } from '../support/foreign-environment.js'
import { aTalosMachine, aVm, stateText, talosSecrets } from '../support/terraform-state.js'

let foreign: ForeignEnvironment
afterEach(() => foreign.program.close())

const machines = [aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker')]

test('a bundle that SOPS encrypted and the config of a control plane are ways in; that of a worker is not', async () => {
  foreign = await aForeignEnvironment(machines)
  const { program, bundle, configs } = foreign
  const at = (name: string) => join(program.folder, name)
  const identity = await generateX25519Identity()
  await mkdir(at('sops/age'), { recursive: true })
  await writeFile(at('sops/age/keys.txt'), `${identity}\n`, { mode: 0o600 })
  const env = { ...program.env, SOPS_AGE_RECIPIENTS: await identityToRecipient(identity) }
  const sealed = await sealText(formatBundle(bundle), at('talsecret.sops.yaml'), { env, notify: () => {} })
  expect(sealed).toContain('ENC[')
  await writeFile(at('talsecret.sops.yaml'), sealed)
  await writeFile(at('controlplane.yaml'), configs.get('talos-c1') ?? '')
  await writeFile(at('worker.yaml'), configs.get('talos-w2') ?? '')
  const adopt = (out: string, ...words: readonly string[]) =>
    program.run(['adopt', '--out', out, '--lab', '--strict', ...words])

  const bySecrets = ['--secrets', 'talsecret.sops.yaml', '--node', '10.0.10.71']
  expect(await adopt('by-secrets', ...bySecrets)).toMatchObject({ code: 0 })
  expect(await adopt('by-config', '--machine-config', 'controlplane.yaml')).toMatchObject({ code: 0 })
  expect(await foreign.file('by-config/cluster.yaml')).toBe(await foreign.file('by-secrets/cluster.yaml'))
  expect(foreign.changes()).toEqual([])

  const refused = await adopt('by-worker', '--machine-config', 'worker.yaml')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Give the config of a control plane') })
  expect(refused.stdout + refused.stderr).not.toContain(bundle.trustdinfo.token)
}, 300_000)

/** What no output may hold. */
const secretsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(secretsIn)

test('a Terraform state, a talhelper folder and several files at once lead to the same inventory; what runs wins', async () => {
  foreign = await aForeignEnvironment(machines)
  const { program, bundle, configs } = foreign
  const at = (name: string) => join(program.folder, name)
  const adopt = (out: string, ...words: readonly string[]) =>
    program.run(['adopt', '--out', out, '--lab', '--strict', ...words])
  const canaries = [...secretsIn(bundle), 'canary-of-the-state', 'canary-of-talenv']
  const silent = (output: { stdout: string; stderr: string }) =>
    expect(canaries.filter((one) => output.stdout.includes(one) || output.stderr.includes(one))).toEqual([])

  const worker = configs.get('talos-w2') ?? ''
  const applied = worker.replace('wipe: false', 'wipe: true').replace(bundle.cluster.secret, 'canary-of-the-state')
  const state = stateText([
    talosSecrets(bundle),
    aTalosMachine({ index: 'cp', node: '10.0.10.71', config: configs.get('talos-c1') ?? '' }),
    aTalosMachine({ index: 'wk', node: '10.0.10.72', config: applied }),
    aVm({ index: 'cp', vmid: 701, host: 'pve1', mac: 'BC:24:11:00:00:01' }),
    aVm({ index: 'wk', vmid: 702, host: 'pve3', mac: 'BC:24:11:00:00:02' }),
    aVm({ name: 'somebody-elses', vmid: 120, host: 'pve1', mac: 'BC:24:11:77:77:77' }),
  ])
  await writeFile(at('state.json'), state)
  const byState = await adopt('by-state', '--tfstate', 'state.json')
  expect(byState).toMatchObject({ code: 0 })
  silent(byState)
  expect(byState.stdout).toContain(
    'proxmox_virtual_environment_vm.this["wk"]: the state has VM 702 on pve3, and it is on pve2',
  )
  expect(byState.stdout).toContain('talos-w2 runs something else in machine.install.wipe, cluster.secret')
  expect(byState.stdout).toContain(`tofu state rm 'proxmox_virtual_environment_vm.this["wk"]'`)
  expect(byState.stdout).not.toContain('somebody-elses')

  const identity = await generateX25519Identity()
  await mkdir(at('sops/age'), { recursive: true })
  await writeFile(at('sops/age/keys.txt'), `${identity}\n`, { mode: 0o600 })
  const env = { ...program.env, SOPS_AGE_RECIPIENTS: await identityToRecipient(identity) }
  await mkdir(at('talos'))
  const sealed = await sealText(formatBundle(bundle), at('talos/talsecret.sops.yaml'), { env, notify: () => {} })
  await writeFile(at('talos/talsecret.sops.yaml'), sealed)
  await writeFile(at('talos/talenv.yaml'), 'ENDPOINT: 10.0.10.71\nPASSWORD: canary-of-talenv\n')
  await writeFile(at('talos/kubelet.yaml'), 'machine: { kubelet: { extraArgs: { v: "$PASSWORD" } } }\n')
  await writeFile(
    at('talos/talconfig.yaml'),
    `clusterName: homelab
endpoint: https://$ENDPOINT:6443
talosVersion: v1.13.9
kubernetesVersion: v1.36.2
patches: ["machine: { install: { wipe: false, extensions: { $$patch: delete } } }", "@./kubelet.yaml"]
nodes:
  - { hostname: talos-c1, ipAddress: 10.0.10.71, controlPlane: true, installDisk: /dev/sda }
  - { hostname: talos-w2, ipAddress: 10.0.10.72, controlPlane: false, installDisk: /dev/sda }
`,
  )
  const byTalhelper = await adopt('by-talhelper', '--talconfig', 'talos')
  expect(byTalhelper).toMatchObject({ code: 0 })
  silent(byTalhelper)
  expect(byTalhelper.stdout).toContain('talos-c1: talconfig.yaml has the Kubernetes v1.36.2, and v1.36.3 runs')
  expect(byTalhelper.stdout).toContain('talos-w2: @./kubelet.yaml sets what does not run: machine.kubelet.extraArgs.v')
  expect(byTalhelper.stdout).not.toContain('patch 1')

  await writeFile(at('stale.yaml'), formatBundle({ ...bundle, trustdinfo: { token: 'abcdef.0123456789abcdef' } }))
  const together = ['--secrets', 'stale.yaml', '--tfstate', 'state.json', '--talosconfig', 'talosconfig']
  const byAll = await adopt('by-all', ...together)
  expect(byAll).toMatchObject({ code: 0 })
  silent(byAll)
  expect(byAll.stdout).toContain('talos-c1 runs another trustdinfo.token')
  for (const out of ['by-talhelper', 'by-all'])
    expect(await foreign.file(`${out}/cluster.yaml`)).toBe(await foreign.file('by-state/cluster.yaml'))
  expect(foreign.changes()).toEqual([])

  await writeFile(at('other'), await foreignTalosconfig(await generateBundle('v1.13'), machines))
  const refused = await adopt('by-two', '--tfstate', 'state.json', '--talosconfig', 'other')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('files are of two clusters') })
  const fetched = await adopt('by-address', '--tfstate', 'https://state.example.com/home?token=canary-of-the-state')
  expect(fetched).toMatchObject({ code: 2, stderr: expect.stringContaining('a file is needed') })
  silent(fetched)
}, 300_000)

test('the report names the rights, backup jobs and HA of each VM that moves into the pool', async () => {
  foreign = await aForeignEnvironment(machines)
  const { proxmox } = foreign.world
  const { signal } = foreign
  await proxmox.pools.create('theirs', 'of somebody else', signal)
  await proxmox.pools.addVm('theirs', 702, signal)
  const job = {
    id: 'nightly',
    schedule: '02:00',
    storage: 'local',
    enabled: true,
    what: { pool: 'theirs' },
    settings: {},
  }
  await proxmox.backup.setJob(job, signal)
  const { tokenId } = foreign.program.lab().lab.proxmox
  const [user = ''] = tokenId.split('!')
  await proxmox.access.grant(
    { path: '/pool/theirs', kind: 'user', subject: user, role: 'PVEAuditor', propagate: true },
    signal,
  )
  await proxmox.highAvailability.setResource({ vmid: 701, state: 'started', maxRestart: 1, maxRelocate: 1 }, signal)
  const before = foreign.changes().length
  const adopted = await foreign.adopt('--dry-run')
  expect(adopted.stdout).toContain(`  VM 702 (talos-w2), out of theirs
    loses the rights of ${user} as PVEAuditor
    leaves the backup jobs nightly
`)
  expect(adopted.stdout).toMatch(/VM 701 \(talos-c1\)\n {4}HA keeps it: that does not change/)
  expect(foreign.changes().length).toBe(before)
}, 300_000)
