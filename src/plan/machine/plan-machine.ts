import { groupBy, oncePer } from '../../cluster/lookup.js'
import { GiB } from '../../cluster/machine.js'
import type { DesiredMachine } from '../../desired/desired.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { deliverConfig } from '../../steps/apply-config.js'
import { claimMachine } from '../../steps/claim-machine.js'
import { dropSeed } from '../../steps/drop-seed.js'
import { enableContent } from '../../steps/enable-content.js'
import { fetchImage } from '../../steps/fetch-image.js'
import { fillMachine } from '../../steps/fill-machine.js'
import { learnAddress } from '../../steps/learn-address.js'
import { makeGuest } from '../../steps/make-guest.js'
import { makeSecrets } from '../../steps/make-secrets.js'
import { migrateMachine } from '../../steps/migrate-machine.js'
import { startMachine, stopMachine } from '../../steps/power.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { registerSchematic } from '../../steps/register-schematic.js'
import { resizeDisk } from '../../steps/resize-disk.js'
import { reviveMachine } from '../../steps/revive-machine.js'
import { sealMark } from '../../steps/seal-mark.js'
import { isCrashed } from '../../vm/crashed.js'
import { imageOf, templateOf, volidOf } from '../../vm/desired-parts.js'
import { diskSize, diskVolume, isLargeEnough } from '../../vm/disk-option.js'
import { isEmptied } from '../../vm/emptied.js'
import { isFilled, missingSlots } from '../../vm/filled.js'
import { loadedMedia } from '../../vm/media.js'
import { sealReason } from '../../vm/seal-reason.js'
import { seedSlots } from '../../vm/seed.js'
import { shutdownNote } from '../../vm/shutdown-note.js'
import { seenVolumes } from '../../vm/storage-contents.js'
import { findSeen } from '../../work/wanted-machine.js'
import type { Draft, StepRef } from '../draft.js'
import { beforePowerOn } from '../plan-power-on.js'
import { isTemplateReady, planTemplate } from '../plan-templates.js'
import { changing, type Reason } from '../reason.js'
import { planUnprotect } from './plan-deletion.js'
import { planChange, planOptions } from './plan-drift.js'
import { planLost } from './plan-lost.js'

/** Creates a machine and waits until it responds, or changes an existing one to the wanted state. */
export function planMachine(draft: Draft, wanted: DesiredMachine, observed: Observed): void {
  const { name: machine } = wanted.machine
  const seen = findSeen(observed, machine)
  const unsealed = seen === undefined ? undefined : sealReason(seen)
  if (unsealed !== undefined) draft.add(sealMark, { machine }, unsealed)
  const made = seen !== undefined && !isEmptied(seen, draft.desired) ? seen : undefined
  const isLost = seen !== undefined && seen.mark.stage !== 'making' && made === undefined
  const moved = draft.refIfPlanned(migrateMachine, { machine })
  const before =
    seen === undefined || isLost
      ? planLost(draft, wanted, observed, isLost ? 'disk' : 'VM')
      : [moved].filter((ref) => ref !== undefined)
  // Its leftovers cannot be observed: the other machines are brought back first, and the next round decides.
  if (before === 'unknown') return
  const isMade = made?.mark.stage === 'made'
  const stopped = planStop(draft, seen, wanted, before)
  const set = isMade || isReadyToStart(wanted, made) ? planOptions(draft, wanted, made, [moved]) : []
  // Leftovers are removed first: if the run is interrupted in between, the next one still knows that it was a member.
  const filled = planDisks(draft, wanted, seen, observed, [...set, stopped, ...before])
  const started = planStart(draft, wanted, seen, [filled, ...set, stopped, ...before], stopped !== undefined)
  planReach(draft, wanted, observed, started, made)
  // Changes that can wait until etcd is back do wait.
  if (isMade && draft.desired.cluster.restore === undefined) planChange(draft, wanted, made)
}

/** QEMU may have refused the former options, which the user has corrected. */
function isReadyToStart(wanted: DesiredMachine, seen: ObservedMachine | undefined): seen is ObservedMachine {
  return seen?.mark.stage === 'making' && seen.status === 'stopped' && isFilled(wanted, seen.options, seen.mark)
}

/**
 * Disks are not attached to a running VM. It may run because its host rebooted, or because it was wiped and waits for a
 * config.
 */
function planStop(
  draft: Draft,
  seen: ObservedMachine | undefined,
  wanted: DesiredMachine,
  before: readonly StepRef[],
): StepRef | undefined {
  if (seen?.status !== 'running') return undefined
  const isUnfilled = seen.mark.stage === 'making' && !isFilled(wanted, seen.options, seen.mark)
  if (!isUnfilled && !isEmptied(seen, draft.desired)) return undefined
  const reason = isUnfilled ? 'it runs, and has no disks yet' : 'it runs without a system disk'
  return draft.add(stopMachine, { machine: seen.name, because: 'empty' }, reason, before)
}

function planDisks(
  draft: Draft,
  wanted: DesiredMachine,
  seen: ObservedMachine | undefined,
  observed: Observed,
  first: readonly (StepRef | undefined)[],
): StepRef | undefined {
  const { name: machine } = wanted.machine
  const isNew = seen === undefined || seen.mark.stage === 'making' || isEmptied(seen, draft.desired)
  let filled: StepRef | undefined
  if (seen === undefined || isEmptied(seen, draft.desired) || !isComplete(draft, wanted, seen)) {
    const source = planSource(draft, wanted, observed, seen)
    const isCloned = wanted.template !== undefined
    const secrets = draft.refIfPlanned(makeSecrets, {})
    const claimed =
      seen === undefined
        ? draft.add(claimMachine, { machine }, 'new machine', [
            secrets,
            isCloned ? source : undefined,
            ...first,
            ...draft.refs(makeGuest),
          ])
        : undefined
    const freed =
      isNew && seen !== undefined ? planUnprotect(draft, seen, 'its seed is removed later', first) : undefined
    const missing = missingSlots(wanted, seen?.options ?? {})
    filled = draft.add(
      fillMachine,
      { machine, isNew, isComplete: missing.length === 0 },
      isNew ? lackOfNew(isCloned, seen) : lackOf(missing, seen?.options ?? {}),
      [claimed, freed, source, ...first, ...draft.refs(enableContent)],
    )
  }
  const small = wanted.disks.filter(({ slot, size }) => {
    if (diskVolume(seen?.options[slot]) !== undefined) return !isLargeEnough(seen?.options[slot], size)
    return slot === 'scsi0' && size > sizeOfSource(draft, wanted)
  })
  let last = filled
  for (const { slot } of small)
    last = draft.add(resizeDisk, { machine, slot }, growth(seen, wanted, slot), [filled, ...first, last])
  return last
}

/**
 * An incomplete machine that is off boots with its seed. A run that was killed before attaching the seed left the old
 * disks attached.
 */
function isComplete({ desired }: Draft, wanted: DesiredMachine, { options, mark, status }: ObservedMachine): boolean {
  if (!isFilled(wanted, options, mark)) return false
  const needsSeed = mark.stage === 'making' && status === 'stopped' && desired.cluster.delivery === 'cidata'
  return !needsSeed || loadedMedia(options).includes(wanted.seed.slot)
}

function lackOfNew(isCloned: boolean, seen: ObservedMachine | undefined): string {
  if (seen !== undefined && seen.mark.stage !== 'making') return 'it was wiped and needs its config again'
  return isCloned ? 'the clone has no identity yet' : 'its VM has no disks yet'
}

/** A new disk would be empty, and the detached disk can still be attached again. */
function lackOf(missing: readonly string[], options: ObservedMachine['options']): string {
  if (missing.length === 0) return `it is ${options.boot ?? 'unset'}, without scsi0`
  const detached = Object.keys(options).filter((slot) => /^unused\d+$/.test(slot))
  const lack = `it has no ${missing.join(', ')}`
  return detached.length === 0
    ? lack
    : `${lack}; the new one is empty; to keep the data, attach ${detached.join(', ')} first`
}

function growth(seen: ObservedMachine | undefined, wanted: DesiredMachine, slot: string): string | Reason {
  const size = diskSize(seen?.options[slot])
  if (seen?.mark.stage !== 'made' || size === undefined) return 'an imported image has its own small size'
  const aim = wanted.disks.find((disk) => disk.slot === slot)?.size ?? 0
  const gib = (bytes: number) => `${bytes / GiB} GiB`
  return changing({ what: `disk ${slot}`, from: gib(size), to: gib(aim) }, ', grows in place')
}

/** The source of the system disk: an image on the storage, or a template that is made from it first. */
function planSource(
  draft: Draft,
  wanted: DesiredMachine,
  observed: Observed,
  seen: ObservedMachine | undefined,
): StepRef | undefined {
  if (wanted.template === undefined) {
    if (diskVolume(seen?.options.scsi0) !== undefined) return undefined
    const registered = planInstaller(draft, wanted)
    return planImage(draft, wanted.image, observed, seen, registered) ?? registered
  }
  if (isTemplateReady(observed, wanted.template) || seen !== undefined) return undefined
  return planTemplate(draft, wanted.template, planImage(draft, wanted.image, observed))
}

/** A medium that does not come from the factory installs the factory's image. */
function planInstaller(draft: Draft, { image, installer }: DesiredMachine): StepRef | undefined {
  const isFetched = imageOf(draft.desired, image).origin.kind === 'factory'
  if (draft.desired.cluster.boot !== 'iso' || isFetched || installer.schematic === undefined) return undefined
  return draft.add(registerSchematic, { schematic: installer.id }, 'machines pull their installer from there')
}

/** Size in bytes of the system disk right after it is created. An image is always too small. */
function sizeOfSource({ desired }: Draft, { template, disks }: DesiredMachine): number {
  if (desired.cluster.boot === 'iso') return disks[0]?.size ?? 0
  return template === undefined ? 0 : templateOf(desired, template).disk.size
}

/** The hosts that have a volume: few, even if there are many volumes. */
const hostsByVolume = oncePer((contents: Observed['proxmox']['contents']) => {
  const volumes = groupBy(seenVolumes({ contents }), ({ volid }) => volid)
  return new Map([...volumes].map(([volid, all]) => [volid, all.map(({ host }) => host)]))
})

/** An interrupted run may have downloaded it. With many storages, only the step itself checks them. */
function planImage(
  draft: Draft,
  key: string,
  observed: Observed,
  seen?: ObservedMachine,
  first?: StepRef,
): StepRef | undefined {
  const image = imageOf(draft.desired, key)
  const hosts = hostsByVolume(observed.proxmox.contents).get(volidOf(image))
  if (hosts?.some((host) => image.isShared || host === image.host)) return undefined
  const reason = `machines on ${image.host} boot from it${seen === undefined ? '' : ', unless it exists already'}`
  return draft.add(fetchImage, { image: image.key }, reason, [first, ...draft.refs(enableContent)])
}

function planStart(
  draft: Draft,
  wanted: DesiredMachine,
  seen: ObservedMachine | undefined,
  before: readonly (StepRef | undefined)[],
  isStopped: boolean,
): StepRef | undefined {
  const { name: machine } = wanted.machine
  if (seen?.status === 'running' && !isStopped) {
    const halted = seen.talos.reach === 'silent' ? seen.talos.halted : undefined
    return isCrashed(halted)
      ? draft.add(reviveMachine, { machine }, `QEMU has stopped its VM: ${halted}`, before)
      : undefined
  }
  const resizes = wanted.disks.map(({ slot }) => draft.refIfPlanned(resizeDisk, { machine, slot }))
  const reason = seen === undefined || seen.mark.stage === 'making' ? 'new machine' : whyOff(seen)
  // A guest may provide what the machines need, such as storage or a router.
  return draft.add(startMachine, { machine }, reason, [
    ...before,
    ...resizes,
    ...draft.refs(makeGuest),
    ...beforePowerOn(draft, seen),
  ])
}

function whyOff({ mark }: ObservedMachine): string {
  return shutdownNote(mark) === undefined ? 'it is switched off' : 'the cluster was shut down'
}

function planReach(
  draft: Draft,
  wanted: DesiredMachine,
  observed: Observed,
  started: StepRef | undefined,
  made: ObservedMachine | undefined,
): void {
  const { name: machine } = wanted.machine
  const { cluster } = draft.desired
  const isSecured = made?.talos.reach === 'secured'
  const isNew = made === undefined || made.mark.stage !== 'made'
  const needsConfig = isNew || made.talos.reach === 'maintenance'
  const learned =
    cluster.endpoint === undefined && machine === cluster.bootstrapMachine
      ? draft.add(learnAddress, { machine }, 'it becomes the endpoint', [started])
      : undefined
  // The endpoint is in the config; a machine that has one is reached without it, once a control plane certifies it.
  if (cluster.endpoint === undefined && (needsConfig || lacksCertifier(draft, wanted, observed))) return
  if (!isSecured) {
    const sent =
      cluster.delivery === 'apply' && needsConfig
        ? draft.add(deliverConfig, { machine }, 'it waits for its config', [started])
        : undefined
    const certified = certifierOf(draft, wanted, observed)
    const reason = isNew ? 'new machine' : 'it does not answer'
    draft.add(reachMachine, { machine }, reason, [learned ?? started, sent, certified])
  }
  const kept = wanted.machine.adopted?.keep ?? []
  if (isNew || loadedMedia(made.options).some((slot) => !kept.includes(slot))) {
    const reason = isNew ? reasonToDrop(cluster) : 'a medium is in its drive'
    const reached = draft.refIfPlanned(reachMachine, { machine })
    const holdsSeed = made !== undefined && seedSlots(made.options).length > 0
    const freed = holdsSeed ? planUnprotect(draft, made, 'a seed is still in it', [reached]) : undefined
    draft.add(dropSeed, { machine, isNew }, reason, [reached, freed])
  }
}

/**
 * Workers get their certificates from control planes: while none responds, nothing waits for workers until the first
 * does.
 */
function certifierOf(draft: Draft, { machine }: DesiredMachine, { machines }: Observed): StepRef | undefined {
  if (machine.role === 'controlplane' || doesControlPlaneAnswer(machines)) return undefined
  return draft.refIfPlanned(reachMachine, { machine: draft.desired.cluster.bootstrapMachine })
}

/** No control plane responds, nor will one before this round ends. */
function lacksCertifier(draft: Draft, { machine }: DesiredMachine, { machines }: Observed): boolean {
  return machine.role === 'worker' && !doesControlPlaneAnswer(machines) && draft.refs(reachMachine).length === 0
}

const doesControlPlaneAnswer = oncePer((machines: Observed['machines']) =>
  machines.some(({ mark, talos }) => mark.role === 'controlplane' && talos.reach === 'secured'),
)

function reasonToDrop({ delivery, boot }: Draft['desired']['cluster']): string {
  if (delivery === 'cidata') return 'it contains the keys of the cluster and is no longer needed'
  return boot === 'iso' ? 'it is installed and must not boot from them again' : 'it has its config'
}
