import { afterEach, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { replace } from '../support/verbs.js'

let stage: Stage
afterEach(() => stage.close())

const yaml = ({ workers = 3, disk = '20G', talos = '' } = {}) =>
  clusterYaml({ controlPlanes: 1, workers, extra: `talos: { boot: template${talos} }\n` }).replace(
    'worker: { cpu: 2, ram: 4GiB, disk: 20G }',
    `worker: { cpu: 2, ram: 4GiB, disk: ${disk} }`,
  )

const linked = ', full_clone: false'
const GiB = 1024 ** 3

/** Disks on a storage whose linked clones depend on the disk of their template; those of a thin pool do not. */
const topology = aTopology({
  hosts: 3,
  storages: [
    { id: 'local', type: 'dir', content: ['iso', 'import'], shared: false, total: 200 * GiB },
    { id: 'local-lvm', type: 'zfspool', content: ['images'], shared: false, total: 2000 * GiB },
  ],
})

async function settles(): Promise<void> {
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
}

/** Proxmox refuses that call of the next run. */
async function failsAt(path: string): Promise<void> {
  stage.lab.faults.add({
    match: { surface: 'proxmox', method: 'POST', path },
    action: { kind: 'status', status: 500, message: 'the lab says no' },
  })
  await expect(stage.up()).rejects.toThrow('the lab says no')
  stage.lab.faults.clear()
}

const templates = async () => (await stage.plan()).observed.templates
const vmids = async (role: string) =>
  (await templates()).filter(({ mark }) => mark.role === role).map(({ host, vmid }) => `${host} ${vmid}`)
/** The template that the system disk of a machine stands on. */
const baseOf = async (name: string) =>
  Number(/base-(\d+)-/.exec((await (await byHand(stage)).options(name)).scsi0 ?? '')?.[1])

test('on three hosts with local storages, 998 and 999 are the templates of the first; the others come after them', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': yaml() } })
  await settles()
  expect(await vmids('controlplane')).toEqual(['pve1 998'])
  expect((await vmids('worker')).sort()).toEqual(['pve1 999', 'pve2 900', 'pve3 901'])
})

test('a template that does not fit any more is made again beside the old one, which goes when no linked clone needs it', async () => {
  stage = await aStage({ speed: 1000, topology, files: { 'cluster.yaml': yaml({ talos: linked }) } })
  await settles()
  const before = await templates()
  await stage.write('cluster.yaml', yaml({ talos: linked, disk: '30G', workers: 4 }))
  const { plan } = await stage.plan()
  const made = plan.steps.filter(({ kind }) => kind === 'make-template')
  expect(made.map(({ reason }) => reason)).toEqual([expect.stringMatching(/no longer matches the inventory$/)])
  await settles()
  const between = await templates()
  expect(between, 'those that run keep theirs').toEqual(
    expect.arrayContaining(before.map(({ name }) => expect.objectContaining({ name }))),
  )
  expect(between).toHaveLength(before.length + 1)
  const { host, vmid } = await (await byHand(stage)).vm('dev-wk-4')
  expect(vmid).toBeGreaterThan(0)
  const fresh = between.find((one) => !before.some(({ name }) => name === one.name))
  expect(fresh).toMatchObject({ host })
  expect(await baseOf('dev-wk-4')).toBe(fresh?.vmid)

  const neighbour = (await stage.plan()).observed.machines.find(
    (one) => one.host === host && one.mark.role === 'worker' && one.name !== 'dev-wk-4',
  )
  const old = await baseOf(neighbour?.name ?? '')
  expect(await stage.up({ change: replace(neighbour?.name ?? '') })).toMatchObject({ outcome: 'done' })
  expect(await baseOf(neighbour?.name ?? '')).toBe(fresh?.vmid)
  expect((await templates()).map((one) => one.vmid)).not.toContain(old)
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

test('other extensions are another image: new machines come from another template, and full clones keep nothing of the old one', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': yaml({ workers: 1 }) } })
  await settles()
  const before = (await templates()).map(({ name }) => name)
  const extensions = ', extensions: [siderolabs/iscsi-tools, siderolabs/qemu-guest-agent]'
  await stage.write('cluster.yaml', yaml({ workers: 2, talos: extensions }))
  await settles()
  const after = (await templates()).map(({ name }) => name)
  expect(after.filter((name) => before.includes(name))).toEqual([])
  expect(after.length).toBeGreaterThan(0)
})

test('a template whose disk an interrupted change has left pending gets it in the next run', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': yaml({ workers: 1 }) } })
  stage.lab.faults.add({
    match: { surface: 'proxmox', method: 'POST', path: '/999/config$' },
    action: { kind: 'fail-config', message: 'out of luck', after: 9 },
    times: 1,
  })
  await expect(stage.up()).rejects.toThrow('out of luck')
  await settles()
})

test('a template that somebody starts before it is one is switched off and completed', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': yaml({ workers: 0 }) } })
  await failsAt('/template$')
  const { world, wait, signal } = await byHand(stage)
  await wait(world.proxmox.machines.start({ host: 'pve1', vmid: 998 }, signal))
  await settles()
})

test('a template that somebody protects gives machines that are not protected', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': yaml({ workers: 0 }) } })
  await failsAt('/clone$')
  const { world, signal } = await byHand(stage)
  await world.proxmox.machines.setOptions({ host: 'pve1', vmid: 998 }, { set: { protection: '1' } }, signal)
  await failsAt('/2000/config$')
  expect((await (await byHand(stage)).options('dev-cp-1')).protection, 'the clone of an interrupted run').toBe('1')
  await settles()
})

test('a clone that an interrupted run left is deleted by up, also after another run that had nothing to do with it', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': yaml({ workers: 1 }) } })
  await settles()
  await stage.write('cluster.yaml', yaml({ workers: 2 }))
  await failsAt('/3001/config$')
  await stage.write('cluster.yaml', yaml({ workers: 1 }))
  await (await byHand(stage)).set('dev-wk-1', { memory: 2048 })
  expect(
    await stage.cure({
      machines: ['dev-wk-1'],
      defragment: [],
      disarms: false,
      approve: [],
      addons: [],
      replace: [],
      remark: [],
    }),
  ).toMatchObject({
    outcome: 'done',
  })
  await settles()
  expect((await stage.plan()).observed.machines.map(({ name }) => name).sort()).toEqual(['dev-cp-1', 'dev-wk-1'])
})
