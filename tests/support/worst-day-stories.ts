import { expect } from 'vitest'
import { byHand } from './by-hand.js'
import type { Stage } from './lab.js'
import { whatIsThere } from './left-behind.js'
import { forgetBootstrap, killedAt, reset, type Story, wanting } from './worst-day.js'

/** Two control planes lose their power, and the VM of the third is gone. */
async function powerCut(stage: Stage, lost: string): Promise<void> {
  const hand = await byHand(stage)
  await hand.remove(lost)
  for (const name of ['dev-cp-1', 'dev-cp-2', 'dev-cp-3']) if (name !== lost) await hand.stop(name)
}

export const halfLost: Story = {
  name: 'of three control planes two are off and one was deleted: they are started first, then it is made again',
  before: wanting(3, 0),
  happen: (stage) => powerCut(stage, 'dev-cp-2'),
  after: wanting(3, 0),
}

export const systemDiskLost: Story = {
  name: 'of three control planes two are off and one has lost its system disk: it begins again and joins',
  before: wanting(3, 0),
  happen: async (stage) => {
    const hand = await byHand(stage)
    for (const name of ['dev-cp-1', 'dev-cp-2', 'dev-cp-3']) await hand.stop(name)
    const change = { delete: ['scsi0'], deletesDisks: true }
    await hand.world.proxmox.machines.setOptions(await hand.vm('dev-cp-2'), change, hand.signal)
  },
  after: wanting(3, 0),
}

export const oldSecrets: Story = {
  name: 'secrets from before the bootstrap, two control planes off, one deleted: the old etcd is found, none is made',
  before: wanting(3, 0),
  happen: async (stage) => {
    await forgetBootstrap(stage)
    await powerCut(stage, 'dev-cp-2')
  },
  after: wanting(3, 0),
}

export const oldSecretsWithoutFirst: Story = {
  ...oldSecrets,
  name: 'the same, and the deleted one is where etcd began: no second etcd',
  happen: async (stage) => {
    await forgetBootstrap(stage)
    await powerCut(stage, 'dev-cp-1')
  },
}

export const surplusDeletedByHand: Story = {
  name: 'five control planes become three, and somebody deleted one VM with its node: its member goes as well',
  before: wanting(5, 0),
  happen: async (stage) => {
    const hand = await byHand(stage)
    await hand.remove('dev-cp-5')
    await hand.world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }]).deleteNode('dev-cp-5', hand.signal)
  },
  after: wanting(3, 0),
}

export const surplusVotes: Story = {
  name: 'five control planes should become three when all lose their power and one that stays is deleted: the two that go vote once more',
  before: wanting(5, 0),
  happen: async (stage) => {
    const hand = await byHand(stage)
    await hand.remove('dev-cp-2')
    for (const name of ['dev-cp-1', 'dev-cp-3', 'dev-cp-4', 'dev-cp-5']) await hand.stop(name)
  },
  after: wanting(3, 0),
}

export const resetAndWantedAgain: Story = {
  name: 'a worker was reset when the run that removes it was killed, and is wanted again: it gets its config again',
  before: wanting(1, 2),
  happen: async (stage) => {
    await stage.write('cluster.yaml', wanting(1, 1))
    await killedAt(stage, { surface: 'talos', path: '/Reset$' }, () => stage.up())
  },
  after: wanting(1, 2),
}

export const resetByHand: Story = {
  name: 'somebody reset a worker, and DHCP gives it the same address: it gets its config again',
  before: wanting(1, 2),
  happen: (stage) => reset(stage, 'dev-wk-1'),
  after: wanting(1, 2),
}

export const resetElsewhere: Story = {
  name: 'somebody reset a worker with a static address, and it waits at another one: it gets its config again',
  before: wanting(1, 2),
  happen: (stage) => reset(stage, 'dev-wk-2'),
  after: wanting(1, 2),
}

export const emptyVmStarted: Story = {
  name: 'killed after a create, and the empty VM was started: it is stopped, filled and started',
  before: wanting(1, 1),
  happen: async (stage) => {
    await stage.write('cluster.yaml', wanting(1, 2))
    await killedAt(stage, { surface: 'proxmox', method: 'POST', path: '/qemu$' }, () => stage.up())
    const hand = await byHand(stage)
    await stage.lab.clock.sleep(30_000)
    // The host would not start it when it reboots.
    expect(await hand.options('dev-wk-2')).not.toMatchObject({ onboot: '1' })
    await hand.wait(hand.world.proxmox.machines.start(await hand.vm('dev-wk-2'), hand.signal))
  },
  after: wanting(1, 2),
}

export const linkedClones: Story = {
  name: 'linked clones of a template, then boot: image: the template stays as long as disks depend on it',
  before: wanting(1, 1, 'talos: { boot: template, full_clone: false }\n'),
  happen: async () => {},
  after: wanting(1, 1, 'talos: { boot: image }\n'),
  judge: ({ lab }) => {
    expect(whatIsThere(lab).vms.filter((vm) => !/-(cp|wk)-\d+$/.test(vm))).not.toEqual([])
  },
}

export const seedOfDeletedVm: Story = {
  name: 'the config fails after the upload of its seed, the VM is deleted by hand and not wanted: no key stays behind',
  before: wanting(1, 1),
  happen: async (stage) => {
    await seedLeftBehind(stage)
    const hand = await byHand(stage)
    const { machines } = hand.world.proxmox
    await hand.wait(machines.remove(await hand.vm('dev-wk-2'), hand.signal))
  },
  after: wanting(1, 1),
}

export const seedOfMovedVm: Story = {
  name: 'the config fails after the upload of its seed, and the empty VM moves to another host: no key stays behind',
  before: wanting(1, 1),
  happen: async (stage) => {
    await seedLeftBehind(stage)
    const hand = await byHand(stage)
    const vm = await hand.vm('dev-wk-2')
    const target = vm.host === 'pve3' ? 'pve2' : 'pve3'
    const options = { target, online: false, withLocalDisks: true }
    await hand.wait(hand.world.proxmox.machines.migrate(vm, options, hand.signal))
  },
  after: wanting(1, 2),
}

/** A worker was to be made, its seed is uploaded, and the task that gives it its disks fails whatever is tried. */
async function seedLeftBehind(stage: Stage): Promise<void> {
  await stage.write('cluster.yaml', wanting(1, 2))
  stage.lab.faults.add({
    match: { surface: 'proxmox', method: 'POST', path: '/qemu/\\d+/config$' },
    action: { kind: 'fail-task', message: 'no space left on device' },
    times: Number.POSITIVE_INFINITY,
  })
  await expect(stage.up()).rejects.toMatchObject({ exitCode: 1 })
  stage.lab.faults.clear()
  const seeds = whatIsThere(stage.lab).volumes.filter((volume) => /ichor-\w+-dev-wk-2/.test(volume))
  expect(seeds).toHaveLength(1)
}

const evacuated = 'placement:\n  evacuate: [pve1]\n'
const machinesOn = (host: string, { lab }: Stage) => whatIsThere(lab).vms.filter((vm) => vm.split(' ')[1] === host)

export const hostEvacuated: Story = {
  name: 'a host is evacuated: every machine leaves it, live',
  before: wanting(3, 2),
  happen: async () => {},
  after: wanting(3, 2, evacuated),
  judge: (stage) => expect(machinesOn('pve1', stage)).toEqual([]),
}

export const hostGone: Story = {
  name: 'a host is gone for good, and Proxmox forgot its VMs: its machines are made elsewhere',
  before: wanting(3, 2),
  happen: async (stage) => {
    const { proxmox } = stage.lab
    const lost = machinesOn('pve2', stage).map((vm) => Number(vm.split(' ')[0]))
    await proxmox.setHostOnline('pve2', false)
    for (const vmid of lost) proxmox.trouble.removeVmFile(vmid)
    await stage.lab.clock.sleep(60_000)
  },
  after: wanting(3, 2),
  judge: (stage) => expect(machinesOn('pve2', stage)).toEqual([]),
}

export const hostBack: Story = {
  name: 'a host is not evacuated any more: its machines return',
  before: wanting(3, 2),
  happen: async (stage) => {
    await stage.write('cluster.yaml', wanting(3, 2, evacuated))
    await stage.up()
    expect(machinesOn('pve1', stage)).toEqual([])
  },
  after: wanting(3, 2),
  judge: (stage) => expect(machinesOn('pve1', stage)).toHaveLength(2),
}

export const evacuatedWithoutMajority: Story = {
  name: 'a host is evacuated while two of three control planes are off and one was deleted: their votes come first',
  before: wanting(3, 1),
  happen: (stage) => powerCut(stage, 'dev-cp-2'),
  after: wanting(3, 1, evacuated),
  judge: (stage) => expect(machinesOn('pve1', stage)).toEqual([]),
}
