import { expect, test } from 'vitest'
import { aMark, hardwareOf } from '../../tests/support/marks.js'
import { deriveIdentity } from '../cluster/identity.js'
import { type Mark, readMark, writeMark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { stepOf } from './index.js'
import type { StepContext } from './step.js'

const GiB = 1024 ** 3
const name = 'dev-wk-1'
const vm = { host: 'pve1', vmid: 3000 }
const identity = deriveIdentity('dev', name)
const mark = (change: Partial<Mark> = {}) => aMark(name, vm.vmid, { stage: 'making', ...change })
const hardware = hardwareOf(name)
const seedName = `ichor-c1-${name}-0123456789ab.iso`
type Options = Record<string, string>

const context = (boot: 'image' | 'template' = 'image') =>
  ({
    desired: {
      machines: [
        {
          machine: { name, role: 'worker', identity, nics: [] },
          ...vm,
          options: hardware,
          image: 'i',
          seedDatastore: 'local',
          talos: { config: 'c', seedName, seedIso: () => new Uint8Array(1) },
          disks: [
            { slot: 'scsi0', datastore: 'lvm', size: 20 * GiB, flags: {} },
            { slot: 'scsi1', datastore: 'lvm', size: 5 * GiB, flags: {} },
          ],
        },
      ],
      templates: [
        {
          name,
          ...vm,
          role: 'worker',
          identity,
          spec: 's',
          image: 'i',
          options: {},
          disk: { datastore: 'lvm', size: 0, flags: {} },
        },
      ],
      images: [{ key: 'i', host: 'pve1', datastore: 'local', content: 'import', filename: 'talos.qcow2' }],
      cluster: { id: 'c1', name: 'dev', boot, delivery: 'cidata', tags: ['ichor', 'ichor-dev'] },
    },
    observed: { machines: [{ name, ...vm }], templates: [], proxmox: { storages: [] } },
    signal: AbortSignal.timeout(5000),
    note: () => undefined,
    assertLease: () => undefined,
  }) as unknown as StepContext

/** A VM with these options, on a Proxmox that may forbid tags. */
function aVm(options: Options, { mayTag = true } = {}) {
  const calls: string[] = []
  let now = { ...options }
  let version = 1
  const set = (more: Options, digest: string | undefined) => {
    calls.push(`${Object.keys(more).sort().join(' ')} if ${digest}`)
    if (more.tags !== undefined && !mayTag) throw Object.assign(new Error('403'), { kind: 'forbidden-tag' })
    now = { ...now, ...more }
    version++
  }
  type Change = { set: Options; digest?: string }
  const proxmox = {
    machines: {
      findConfig: async () => ({ options: now, digest: `d${version}` }),
      setOptions: async (_vm: unknown, { set: more, digest }: Change) => set(more, digest),
      configure: async (_vm: unknown, { set: more, digest }: Change) => set(more, digest),
      resize: async () => undefined,
      convertToTemplate: async () => set({ template: '1' }, undefined),
    },
    images: { upload: async (_host: string, _storage: string, _kind: string, file: string) => void calls.push(file) },
    tasks: { running: async () => [], wait: async () => ({ warnings: [] }) },
  }
  return { world: { proxmox } as unknown as World, calls, options: () => now }
}

const fill = stepOf('fill-machine')
const args = { machine: name, isNew: true }

test('an empty VM gets its config ISO, then disks, medium, boot order and tags in one call with its digest', async () => {
  const { world, calls, options } = aVm({ ...hardware, description: writeMark('', mark()) })
  expect(await fill.done(args, world, context())).toBe(false)
  await fill.run(args, world, context())
  expect(calls).toEqual([seedName, 'boot ide2 scsi0 scsi1 tags if d1'])
  expect(options()).toMatchObject({
    scsi0: expect.stringContaining('import-from=local:import/talos.qcow2'),
    ide2: `local:iso/${seedName},media=cdrom`,
    boot: 'order=scsi0',
    tags: 'ichor;ichor-dev',
  })
  expect(await fill.done(args, world, context())).toBe(true)
})

test('a made machine gets only the disk that it lacks: no config ISO, no tags', async () => {
  const made = { ...hardware, description: writeMark('', mark({ stage: 'made' })), scsi0: 'lvm:x', boot: 'order=scsi0' }
  const { world, calls } = aVm({ ...made, tags: 'mine' })
  await fill.run({ ...args, isNew: false }, world, context())
  expect(calls).toEqual(['scsi1 if d1'])
})

test('without the lease a machine gets no disk', async () => {
  const made = { ...hardware, description: writeMark('', mark({ stage: 'made' })), scsi0: 'lvm:x', boot: 'order=scsi0' }
  const { world, calls } = aVm(made)
  const lost = () => {
    throw new Error('the lease is lost')
  }
  await expect(fill.run(args, world, { ...context(), assertLease: lost })).rejects.toThrow('the lease is lost')
  expect(calls).toEqual([])
})

test('a made machine that lost its system disk is in the making again before its config ISO is uploaded', async () => {
  const { world, calls, options } = aVm({ ...hardware, description: writeMark('notes', mark({ stage: 'made' })) })
  await fill.run(args, world, context())
  expect(calls).toEqual(['description if d1', seedName, 'boot ide2 scsi0 scsi1 tags if d2'])
  expect(options().description).toBe(writeMark('notes', mark()))
})

test.each(['image', 'template'] as const)(
  'a token that may not set tags costs the tags and nothing else, from %s',
  async (boot) => {
    const more = boot === 'template' ? { more: { identity: 'pending' } } : {}
    const { world, options } = aVm({ ...hardware, description: writeMark('', mark(more)) }, { mayTag: false })
    await fill.run(args, world, context(boot))
    expect(options().tags).toBeUndefined()
    expect(readMark(options().description)?.more).toEqual({ tags: 'forbidden' })
    expect(await fill.done(args, world, context(boot))).toBe(true)
  },
)

test('a template goes without tags as well where the token may not set them', async () => {
  const kind = { more: { kind: 'template' } }
  const { world, options } = aVm({ ...hardware, description: writeMark('', mark(kind)) }, { mayTag: false })
  const template = stepOf('make-template')
  await expect(template.run({ template: name }, world, context('template'))).resolves.toBeUndefined()
  expect(options().tags).toBeUndefined()
  expect(await template.done({ template: name }, world, context('template'))).toBe(true)
})
