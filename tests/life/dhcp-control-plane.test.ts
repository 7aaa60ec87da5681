import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTopology } from '../support/lab.js'
import { aProgram, type Program } from '../support/program.js'

const dhcp = [
  { bridge: 'vmbr0', cidr: '10.0.10.0/24', gateway: '10.0.10.254', dns: [], reservations: [], poolOffset: 100 },
]
const yaml = `cluster_name: dev
talos_version: v1.13.9
control_plane_count: 1
worker_count: 1
network:
  mode: dhcp
proxmox:
  datastore: local-lvm
sizing:
  control_plane: { cpu: 2, ram: 4GiB, disk: 20G }
  worker: { cpu: 2, ram: 4GiB, disk: 20G }
talos: { boot: iso }
`
/** Its waits are questions to a silent machine, which take real time. */
const patient = () => AbortSignal.timeout(400_000)
let program: Program
beforeAll(async () => {
  program = await aProgram({ 'cluster.yaml': yaml }, { topology: aTopology({ hosts: 2, dhcp }), speed: 1000 })
  expect(await program.ichor(['up', '--yes'], {}, patient())).toMatchObject({ code: 0 })
})
afterAll(() => program.close())

const uuid = (machine = 'dev-cp-1') =>
  program
    .lab()
    .lab.talos.machines()
    .find(({ name }) => name === machine)?.uuid ?? ''
const later = () => program.lab().lab.clock.sleep(90_000)

test('the only control plane hangs, and its address is known to nobody: an error for people, and reboot repairs it', async () => {
  program.lab().lab.talos.hang(uuid())
  await later()
  const evacuated = await program.ichor(['evacuate', 'pve1', '--yes'], {}, patient())
  expect(evacuated.code).toBe(1)
  expect(evacuated.stderr).toContain('Kubernetes cannot be asked: the address of dev-cp-1 is not known.')
  expect(evacuated.stderr).toContain('ichor reboot dev-cp-1')
  expect(evacuated.stderr).not.toContain('bug in ichor')
  const rebooted = await program.ichor(['reboot', 'dev-cp-1', '--yes'], {}, patient())
  expect(rebooted.code, rebooted.stderr.slice(-1500)).toBe(0)
  expect((await program.ichor(['status', '--json'])).json()).toMatchObject([{ healthy: true }])
})

test('a worker is wiped: the reason does not blame DHCP, and what is printed repairs it', async () => {
  program.lab().lab.talos.wipe(uuid('dev-wk-1'))
  await later()
  const up = await program.ichor(['up', '--yes'], {}, patient())
  if (up.code !== 0) {
    expect(up.stderr).not.toContain('without DHCP it has no address')
    expect(up.stderr.replace(/\s+/g, ' ')).toContain('ichor replace dev-wk-1')
    const replaced = await program.ichor(['replace', 'dev-wk-1', '--yes'], {}, patient())
    expect(replaced.code, replaced.stderr.slice(-1500)).toBe(0)
  }
  expect((await program.ichor(['status', '--json'])).json()).toMatchObject([{ healthy: true }])
})

test('the only control plane is wiped: status and up name the snapshot and the way back, and that works', async () => {
  const { snapshot } = (await program.ichor(['backup', '--json'])).json().at(-1) as { snapshot: { name: string } }
  program.lab().lab.talos.wipe(uuid())
  await later()
  expect((await program.ichor(['status'])).stdout).toMatch(
    new RegExp(
      `etcd does not answer\\. {2}Fix: ichor up; if its control planes are lost: ichor restore ${snapshot.name}`,
    ),
  )
  const up = await program.ichor(['up', '--yes'], {}, patient())
  expect(up.code).toBe(1)
  expect(up.stderr.replace(/\s+/g, ' ')).toMatch(/it was wiped: its etcd is lost, .*ichor restore NAME --gone/)
  const restored = await program.ichor(['restore', snapshot.name, '--gone', '--yes'], {}, patient())
  expect(restored.code, restored.stderr.slice(-2500)).toBe(0)
  expect((await program.ichor(['status', '--json'])).json()).toMatchObject([{ healthy: true }])
})
