import { GiB } from '../cluster/machine.js'
import type { DesiredMachine } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { diskSize, diskVolume } from '../steps/disk-option.js'
import { loaded } from '../steps/drop-seed.js'
import { imageOf, volidOf } from '../steps/fetch-image.js'
import { isFilled, missingSlots, needsSeed } from '../steps/fill-machine.js'
import { templateOf } from '../steps/make-template.js'
import { isLargeEnough } from '../steps/resize-disk.js'
import type { Draft } from './draft.js'
import { planChange, planOptions } from './plan-drift.js'
import { planLost } from './plan-lost.js'

/** From nothing to a machine that answers, or from what is there to what is wanted. */
export function planMachine(draft: Draft, wanted: DesiredMachine, observed: Observed): void {
  const seen = observed.machines.find(({ name }) => name === wanted.machine.name)
  const made = seen?.mark.stage === 'made' ? seen : undefined
  const hasLostDisk = made?.status === 'stopped' && needsSeed(made)
  const before = seen === undefined || hasLostDisk ? planLost(draft, wanted, observed, hasLostDisk ? 'disk' : 'VM') : []
  const set = made === undefined ? undefined : planOptions(draft, wanted, made)
  // Its mark says `made` until then: should the run end in between, the next one knows that it was a member.
  const filled = planDisks(draft, wanted, seen, observed, [set, ...(hasLostDisk ? before : [])])
  const started = planStart(draft, wanted, seen, [filled, set, ...before])
  planReach(draft, wanted, observed, started)
  if (made === undefined) return
  planChange(draft, wanted, made)
}

function planDisks(
  draft: Draft,
  wanted: DesiredMachine,
  seen: ObservedMachine | undefined,
  observed: Observed,
  first: readonly (string | undefined)[],
): string | undefined {
  const { name } = wanted.machine
  if (seen === undefined || !isFilled(wanted, seen.options, seen.mark)) {
    const source = planSource(draft, wanted, observed, seen)
    const isCloned = wanted.template !== undefined
    const claimed =
      seen === undefined
        ? draft.add('claim-machine', { machine: name }, `${name} does not exist yet`, isCloned ? [source] : [])
        : undefined
    const isNew = seen === undefined || needsSeed(seen)
    const lack = isCloned ? 'a clone has not its identity yet' : 'its VM has no disks yet'
    const before = [claimed, source, ...first, ...contentSteps(draft)]
    const missing = missingSlots(wanted, seen?.options ?? {})
    const isWhole = missing.length === 0
    draft.add('fill-machine', { machine: name, isNew, isWhole }, isNew ? lack : lackOf(missing, seen.options), before)
  }
  const filled = `fill-machine:${name}`
  const small = wanted.disks.filter(({ slot, size }) => {
    if (diskVolume(seen?.options[slot]) !== undefined) return !isLargeEnough(seen?.options[slot], size)
    return slot === 'scsi0' && size > sizeOfSource(draft, wanted)
  })
  let last = filled
  for (const { slot } of small)
    last = draft.add('resize-disk', { machine: name, slot }, growth(seen, wanted, slot), [filled, ...first, last])
  return last
}

/** A new disk is empty: whoever took the old one out can still put it back. */
function lackOf(missing: readonly string[], options: ObservedMachine['options']): string {
  if (missing.length === 0) return `it is ${options.boot ?? 'unset'}, without scsi0`
  const detached = Object.keys(options).filter((slot) => /^unused\d+$/.test(slot))
  const lack = `it has no ${missing.join(', ')}`
  return detached.length === 0
    ? lack
    : `${lack}; a new one is empty, and ${detached.join(', ')} stays: attach it first if that is the one`
}

function growth(seen: ObservedMachine | undefined, wanted: DesiredMachine, slot: string): string {
  const size = diskSize(seen?.options[slot])
  if (seen?.mark.stage !== 'made' || size === undefined) return 'an imported image has its own small size'
  const aim = wanted.disks.find((disk) => disk.slot === slot)?.size ?? 0
  return `disk ${slot} ${size / GiB} GiB -> ${aim / GiB} GiB, grows in place`
}

/** What the system disk is made from: an image that must be on the storage, or a template that is made from it first. */
function planSource(
  draft: Draft,
  wanted: DesiredMachine,
  observed: Observed,
  seen: ObservedMachine | undefined,
): string | undefined {
  if (wanted.template === undefined) {
    return diskVolume(seen?.options.scsi0) === undefined ? planImage(draft, wanted.image, observed, seen) : undefined
  }
  const isReady = observed.templates.some(({ name, isReady: ready }) => name === wanted.template && ready)
  if (isReady || seen !== undefined) return undefined
  const image = planImage(draft, wanted.image, observed)
  return draft.add('make-template', { template: wanted.template }, 'machines are cloned from it', [image])
}

/** Bytes that the system disk has right after it was made; an image is always too small. */
function sizeOfSource({ desired }: Draft, { template, disks }: DesiredMachine): number {
  if (desired.cluster.boot === 'iso') return disks[0]?.size ?? 0
  return template === undefined ? 0 : templateOf(desired, template).disk.size
}

/** Storages must allow what is put on them. */
function contentSteps({ steps }: Draft): string[] {
  return steps.filter(({ kind }) => kind === 'enable-content').map(({ id }) => id)
}

/** A run that was interrupted may have fetched it: where there are many storages, only the step itself looks there. */
function planImage(draft: Draft, key: string, observed: Observed, seen?: ObservedMachine): string | undefined {
  const image = imageOf(draft.desired, key)
  const isThere = observed.proxmox.volumes.some(
    ({ host, volid }) => volid === volidOf(image) && (image.isShared || host === image.host),
  )
  if (isThere) return undefined
  const reason = `machines on ${image.host} boot from it${seen === undefined ? '' : ', unless it is there already'}`
  return draft.add('fetch-image', { image: image.key }, reason, contentSteps(draft))
}

function planStart(
  draft: Draft,
  wanted: DesiredMachine,
  seen: ObservedMachine | undefined,
  before: readonly (string | undefined)[],
): string | undefined {
  if (seen?.status === 'running') return undefined
  const { name } = wanted.machine
  const resizes = wanted.disks.map(({ slot }) => `resize-disk:${name}:${slot}`)
  const reason = seen === undefined || seen.mark.stage === 'making' ? 'it is new' : 'it is switched off'
  return draft.add('start-machine', { machine: name }, reason, [...before, ...resizes])
}

function planReach(draft: Draft, wanted: DesiredMachine, observed: Observed, started: string | undefined): void {
  const { name } = wanted.machine
  const seen = observed.machines.find((machine) => machine.name === name)
  const isSecured = seen?.talos.reach === 'secured'
  const isNew = seen === undefined || seen.mark.stage === 'making'
  if (draft.desired.cluster.endpoint === undefined) {
    if (name === draft.desired.cluster.bootstrapMachine)
      draft.add('learn-address', { machine: name }, 'it becomes the endpoint', [started])
    return
  }
  if (!isSecured) {
    const sent =
      draft.desired.cluster.delivery === 'apply' && (isNew || seen.talos.reach === 'maintenance')
        ? draft.add('deliver-config', { machine: name }, 'it waits for its config', [started])
        : undefined
    const certified = certifierOf(draft, wanted, observed)
    draft.add('reach-machine', { machine: name }, isNew ? 'it is new' : 'it does not answer', [
      started,
      sent,
      certified,
    ])
  }
  if (isNew || loaded(seen.options).length > 0) {
    const reason = isNew ? reasonToDrop(draft.desired.cluster) : 'a medium is in its drive'
    draft.add('drop-seed', { machine: name, isNew }, reason, [`reach-machine:${name}`])
  }
}

/** Workers get their certificates from control planes: while none answers, nobody waits for them before the first does. */
function certifierOf({ desired }: Draft, { machine }: DesiredMachine, { machines }: Observed): string | undefined {
  const answers = machines.some(({ mark, talos }) => mark.role === 'controlplane' && talos.reach === 'secured')
  return machine.role === 'controlplane' || answers ? undefined : `reach-machine:${desired.cluster.bootstrapMachine}`
}

function reasonToDrop({ delivery, boot }: Draft['desired']['cluster']): string {
  if (delivery === 'cidata') return 'it holds the keys of the cluster and is not needed any more'
  return boot === 'iso' ? 'it is installed and must not boot from them again' : 'it has its config'
}
