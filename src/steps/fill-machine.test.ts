import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aMark, described, hardwareOf } from '../../tests/support/marks.js'
import { aProxmoxError } from '../../tests/support/proxmox-errors.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { stepOf } from '../capabilities/steps.js'
import type { Desired } from '../desired/desired.js'
import { type Mark, readMark } from '../ownership/mark.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { optionText } from '../proxmox/model/option-text.js'
import type { World } from '../world.js'

const name = 'dev-wk-1'
const vm = { host: 'pve1', vmid: 3000 }
const mark = (change: Partial<Mark> = {}) => aMark(name, vm.vmid, { stage: 'making', ...change })
const hardware = hardwareOf(name)
const size = { cpu: 2, ram: '4GiB', disk: '20G' }
const sizing = { control_plane: size, worker: { ...size, disks: ['5G'] } }
const image = await aDesired({ workers: 1, with: { sizing } })
const template = await aDesired({ workers: 1, with: { sizing, talos: { boot: 'template' } } })
type Options = Readonly<Record<string, string>>

/** The same machines with seeds as ISO images. */
const onIso: Desired = {
  ...image,
  machines: image.machines.map((wanted) => ({
    ...wanted,
    seed: { kind: 'iso', storage: 'local', slot: 'ide2' },
    drives: { seed: 'ide2' },
  })),
}

const contextOf = (desired: Desired = image) =>
  aContext({ desired, observed: { ...aWorld(['pve1']), machines: [aSeenMachine(name, vm.vmid)] } })

/** A VM with these options, on a Proxmox that may forbid tags. Random parts of upload names are removed. */
function aVm(options: Options, { mayTag = true, uploads = [] }: { mayTag?: boolean; uploads?: string[] } = {}) {
  const calls: string[] = []
  const files = new Set(uploads)
  let now = options
  let version = 1
  const task = { host: 'pve1', upid: 'UPID' }
  const set = (more: VmOptions, gone: readonly string[], digest: string | undefined) => {
    const keys = [...Object.keys(more), ...gone.map((key) => `-${key}`)]
    calls.push(`${keys.sort().join(' ')} if ${digest}`)
    if (more.tags !== undefined && !mayTag) throw aProxmoxError('forbidden-tag')
    const kept = Object.entries(now).filter(([key]) => !gone.includes(key))
    const texts = Object.entries(more).map(([key, value]) => [key, optionText(value)])
    now = Object.fromEntries([...kept, ...texts])
    version++
  }
  const nameless = (volid: string) => volid.replace(/-[0-9a-f]{12}\./, '-*.')
  const world = aStub<World>({
    proxmox: {
      machines: {
        findConfig: async () => ({ options: now, digest: `d${version}` }),
        findStatus: async () => ({ status: 'stopped' }),
        pending: async () => [],
        setOptions: async (_vm, change) => set(change.set ?? {}, change.delete ?? [], change.digest),
        configure: async (_vm, change) => {
          set(change.set ?? {}, change.delete ?? [], change.digest)
          return task
        },
        resize: async () => task,
        convertToTemplate: async () => {
          set({ template: '1' }, [], undefined)
          return task
        },
      },
      images: {
        upload: async (_host, storage, content, file) => {
          files.add(`${storage}:${content}/${file}`)
          calls.push(`upload ${nameless(`${storage}:${content}/${file}`)}`)
          return task
        },
      },
      storage: {
        content: async (_host, storage, content) =>
          [...files].filter((volid) => volid.startsWith(`${storage}:${content}/`)).map((volid) => ({ volid })),
        removeVolume: async (_host, volid) => {
          files.delete(volid)
          calls.push(`remove ${nameless(volid)}`)
          return undefined
        },
      },
      tasks: { running: async () => [], wait: async () => ({ warnings: [] }) },
    },
  })
  return { world, calls, options: () => now, files }
}

const fill = stepOf('fill-machine', { machine: name, isNew: true })
const upload = `local:import/ichor-c1-${name}-*.raw`
const iso = `local:iso/ichor-c1-${name}-*.iso`
const empty = { ...hardware, description: described(mark()) }

test('an empty VM gets disks, seed disk and boot order in one call with its digest; the upload goes at once, tags are set last', async () => {
  const { world, calls, options, files } = aVm(empty)
  expect(await fill.done({ ...contextOf(), ...world })).toBe(false)
  await fill.run({ ...contextOf(), ...world })
  expect(calls).toEqual([
    `upload ${upload}`,
    'boot efidisk0 scsi0 scsi1 scsi30 if d1',
    `remove ${upload}`,
    'tags if d2',
  ])
  expect(options()).toMatchObject({
    scsi0: expect.stringMatching(/^local-lvm:0,import-from=local:import\//),
    scsi30: expect.stringMatching(/^local-lvm:0,import-from=local:import\/ichor-c1-.*,backup=0,serial=ichor-seed$/),
    boot: 'order=scsi0',
    tags: image.cluster.tags.join(';'),
  })
  expect([...files]).toEqual([])
  expect(await fill.done({ ...contextOf(), ...world })).toBe(true)
})

test('where no storage takes images to import, the seed is an ISO in a drive, and stays until it is read', async () => {
  const { world, calls, options } = aVm(empty)
  await fill.run({ ...contextOf(onIso), ...world })
  expect(calls).toEqual([`upload ${iso}`, 'boot efidisk0 ide2 scsi0 scsi1 if d1', 'tags if d2'])
  expect(options().ide2).toMatch(/^local:iso\/ichor-c1-.*,media=cdrom$/)
  expect(await fill.done({ ...contextOf(onIso), ...world })).toBe(true)
})

test('what an interrupted run has uploaded or put in goes before the new seed comes', async () => {
  const old = `local:import/ichor-c1-${name}-000000000000.raw`
  const foreign = [`local:import/ichor-c2-${name}-000000000000.raw`, 'local:iso/rescue.iso']
  const scsi30 = 'local-lvm:vm-3000-disk-7,serial=ichor-seed,size=4M'
  const { world, calls, files } = aVm({ ...empty, scsi30 }, { uploads: [old, ...foreign] })
  await fill.run({ ...contextOf(), ...world })
  expect(calls.slice(0, 3)).toEqual([`remove ${upload}`, '-scsi30 if d1', `upload ${upload}`])
  expect([...files]).toEqual(foreign)
})

const made = {
  ...hardware,
  description: described(mark({ stage: 'made' })),
  scsi0: 'local-lvm:x',
  efidisk0: 'local-lvm:y',
  boot: 'order=scsi0',
}

test('a made machine gets only the disk that it lacks: no seed', async () => {
  const { world, calls } = aVm({ ...made, tags: image.cluster.tags.join(';') })
  await stepOf('fill-machine', { machine: name, isNew: false }).run({ ...contextOf(), ...world })
  expect(calls).toEqual(['scsi1 if d1'])
})

test('without the lease a machine gets no disk', async () => {
  const { world, calls } = aVm(made)
  const lost = () => {
    throw new Error('the lease is lost')
  }
  await expect(fill.run({ ...contextOf(), assertLease: lost, ...world })).rejects.toThrow('the lease is lost')
  expect(calls).toEqual([])
})

test('a made machine that lost its system disk is in the making again before its seed is uploaded', async () => {
  const { world, calls, options } = aVm({ ...hardware, description: described(mark({ stage: 'made' }), 'notes') })
  await fill.run({ ...contextOf(), ...world })
  expect(calls.slice(0, 3)).toEqual(['description if d1', `upload ${upload}`, 'boot efidisk0 scsi0 scsi1 scsi30 if d2'])
  expect(options().description).toBe(described(mark(), 'notes'))
})

test.each([
  { boot: 'image', desired: image, change: {} },
  { boot: 'template', desired: template, change: { more: { identity: 'pending' } } },
])('a token that may not set tags costs the tags and nothing else, from $boot', async ({ desired, change }) => {
  const { world, options } = aVm({ ...hardware, description: described(mark(change)) }, { mayTag: false })
  await fill.run({ ...contextOf(desired), ...world })
  expect(options().tags).toBeUndefined()
  expect(readMark(options().description)?.mark.more).toEqual({ tags: 'forbidden' })
  expect(await fill.done({ ...contextOf(desired), ...world })).toBe(true)
})

test('a clone gets the hardware of its machine, and does not start with its host before it is made', async () => {
  const { world, options } = aVm({ ...hardware, description: described(mark({ more: { identity: 'pending' } })) })
  await fill.run({ ...contextOf(template), ...world })
  expect(readMark(options().description)?.mark.more).toBeUndefined()
  expect(options()).toMatchObject({ memory: '4096', onboot: '0' })
})

test('a template goes without tags as well where the token may not set them', async () => {
  const [wanted] = template.templates
  if (wanted === undefined) throw new Error('machines are cloned from a template')
  const kind = aMark(wanted.name, wanted.vmid, { stage: 'making', more: { kind: 'template' } })
  const own = { smbios1: `uuid=${wanted.identity.uuid}`, net0: `virtio=${wanted.identity.mac},bridge=vmbr0` }
  const written = { ...kind, uuid: wanted.identity.uuid, mac: wanted.identity.mac }
  const { world, options } = aVm({ ...own, description: described(written) }, { mayTag: false })
  const make = stepOf('make-template', { template: wanted.name })
  await expect(make.run({ ...contextOf(template), ...world })).resolves.toBeUndefined()
  expect(options().tags).toBeUndefined()
  expect(await make.done({ ...contextOf(template), ...world })).toBe(true)
})
