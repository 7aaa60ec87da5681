import { Code } from '@connectrpc/connect'
import { afterEach, expect, test } from 'vitest'
import { ApplyConfigurationRequest_Mode as Mode } from '../../../wire/machine/machine_pb.js'
import { aCluster } from '../testing/a-cluster.js'
import { aLab, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, isOpen, specOf, stageOf } from '../testing/a-node.js'

let lab: TestLab
afterEach(() => lab.close())

async function inMaintenance(talos: string, platform: 'metal' | 'nocloud' = 'metal') {
  const vm = lab.boot({ name: 'fresh', agent: true, medium: { kind: 'iso', talos, platform } })
  await until('an address is leased', () => isOpen(lab, addressOf(vm.hardware.nics[0]?.mac)))
  const address = addressOf(vm.hardware.nics[0]?.mac)
  return { ...vm, address, open: lab.clients(address) }
}

function addressOf(mac = ''): string {
  return lab.network.lease(mac, 'vmbr0')?.cidr.split('/')[0] ?? ''
}

test('a machine without a config identifies itself without authentication, and reveals no secret', async () => {
  lab = await aLab()
  const { open, hardware, guest, address } = await inMaintenance('v1.13.9')
  await until('it is in maintenance', async () => (await stageOf(open)) === 'maintenance')
  const system = await specOf(open, 'hardware', 'SystemInformations.hardware.talos.dev', 'systeminformation')
  expect(system.uuid).toBe(hardware.uuid)
  expect((await specOf(open, 'network', 'LinkStatuses.net.talos.dev', 'ens18')).hardwareAddr).toBe(
    hardware.nics[0]?.mac.toLowerCase(),
  )
  expect((await open.machine.version({})).messages[0]?.features).toBeUndefined()
  expect((await open.storage.disks({})).messages[0]?.disks).toMatchObject([
    { deviceName: '/dev/sda' },
    { deviceName: '/dev/sr0' },
  ])
  await expect(open.machine.reset({})).rejects.toMatchObject({ code: Code.PermissionDenied })
  const config = { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' }
  await expect(open.state.get(config)).rejects.toMatchObject({ code: Code.PermissionDenied })
  expect(guest.agent()?.interfaces.at(-1)?.addresses).toEqual([{ address, prefix: 24 }])
})

test('the old maintenance server knows only what it needs', async () => {
  lab = await aLab()
  const { open } = await inMaintenance('v1.12.11')
  await expect(open.machine.version({})).rejects.toMatchObject({ code: Code.Unimplemented })
  await expect(open.storage.disks({})).resolves.toBeDefined()
  const cluster = aCluster()
  const data = Buffer.from(cluster.config({ kubernetes: 'v1.35.4' }))
  await expect(open.machine.applyConfiguration({ data, mode: Mode.NO_REBOOT })).rejects.toMatchObject({
    code: Code.Unimplemented,
  })
  const partial = Buffer.from('apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\nauto: off\n')
  await expect(open.machine.applyConfiguration({ data: partial, mode: Mode.AUTO })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  })
})

test('a config over the maintenance API installs the machine, which comes back secured', async () => {
  lab = await aLab()
  const { open, hardware, address } = await inMaintenance('v1.13.9')
  const cluster = aCluster()
  const data = Buffer.from(cluster.config({ name: 'cp-1' }))
  const dry = await open.machine.applyConfiguration({ data, mode: Mode.AUTO, dryRun: true })
  expect(dry.messages[0]?.modeDetails).toContain('Dry run summary')
  await open.machine.applyConfiguration({ data, mode: Mode.AUTO })
  await until('it is installed', () => hardware.disks[0]?.content.guest !== undefined)
  const admin = () => adminOf(lab, cluster, address)
  await until('it answers with its new certificate', async () => {
    if (!isOpen(lab, address)) return false
    return admin()
      .machine.version({})
      .then(
        () => true,
        () => false,
      )
  })
  const stages = lab.ledger.entries().filter(({ event }) => event === 'machine.stage')
  expect(stages.map(({ detail }) => detail?.stage)).toEqual([
    'booting',
    'maintenance',
    'booting',
    'installing',
    'rebooting',
    'booting',
  ])
  expect((await admin().machine.hostname({})).messages[0]?.hostname).toBe('cp-1')
})

test('an ISO that finds an installed disk behind it does not go on', async () => {
  lab = await aLab()
  const { hardware, guest } = await inMaintenance('v1.13.9')
  await guest.powerOff()
  const system = { kind: 'talos', slots: {}, boot: 'A', meta: {} }
  const disks = [{ slot: 'scsi0', size: 1e10, content: { guest: system } }]
  const again = lab.guests.powerOn({ ...hardware, disks, bootOrder: ['ide2', 'scsi0'] })
  await until('its model minutes pass', () => lab.clock.now() > 0 && lab.guests.machines().length === 1)
  await lab.clock.sleep(60_000)
  expect(lab.guests.machines()[0]).toMatchObject({ addresses: [] })
  await again.powerOff()
})

test('documents without v1alpha1 are taken since 1.13, and the machine stays in maintenance', async () => {
  lab = await aLab()
  const { open } = await inMaintenance('v1.13.9')
  const data = Buffer.from('apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: named\nauto: "off"\n')
  await open.machine.applyConfiguration({ data, mode: Mode.AUTO })
  await until('the stage is known', async () => (await stageOf(open)) === 'maintenance')
})

test('a config that Talos would reject is rejected with all its faults', async () => {
  lab = await aLab()
  const { open } = await inMaintenance('v1.13.9')
  const data = Buffer.from(aCluster().config({ kubernetes: 'v1.20.0', cluster: { id: '' } }))
  const failure = await open.machine.applyConfiguration({ data, mode: Mode.AUTO }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: Code.InvalidArgument })
  expect(String(failure)).toMatch(/too old[\s\S]*|cluster\.id/)
})
