import { addonLeft } from './addons/addon-left.js'
import { addonMissing } from './addons/addon-missing.js'
import { addonUnhealthy } from './addons/addon-unhealthy.js'
import { longhornWithoutIscsi } from './addons/longhorn-without-iscsi.js'
import { masquerade } from './addons/masquerade.js'
import { jobOff } from './backups/job-off.js'
import { noDrill } from './backups/no-drill.js'
import { noSnapshot } from './backups/no-snapshot.js'
import { snapshotLate } from './backups/snapshot-late.js'
import { expiry } from './certificates/expiry.js'
import { hostCertificate } from './certificates/host-certificate.js'
import { secretsUnreadable } from './certificates/secrets-unreadable.js'
import type { FindingDefinition } from './define-finding.js'
import { alarm } from './etcd/alarm.js'
import { databaseFull } from './etcd/database-full.js'
import { evenMembers } from './etcd/even-members.js'
import { memberBehind } from './etcd/member-behind.js'
import { memberSick } from './etcd/member-sick.js'
import { memberWithoutMachine } from './etcd/member-without-machine.js'
import { mostlyUnused } from './etcd/mostly-unused.js'
import { noMajority } from './etcd/no-majority.js'
import { etcdNotStarted } from './etcd/not-started.js'
import { slowWrites } from './etcd/slow-writes.js'
import { etcdUnanswered } from './etcd/unanswered.js'
import { wrongPeerAddress } from './etcd/wrong-peer-address.js'
import { certificateUnchecked } from './inventory/certificate-unchecked.js'
import { noSchedule } from './inventory/no-schedule.js'
import { singleControlPlane } from './inventory/single-control-plane.js'
import { attachedNowhere } from './kubernetes/attached-nowhere.js'
import { blockedChanges } from './kubernetes/blocked-changes.js'
import { cordoned } from './kubernetes/cordoned.js'
import { machineIdTwice } from './kubernetes/machine-id-twice.js'
import { nodeAddress } from './kubernetes/node-address.js'
import { nodeNotReady } from './kubernetes/node-not-ready.js'
import { nodeWithoutMachine } from './kubernetes/node-without-machine.js'
import { partDown } from './kubernetes/part-down.js'
import { requestPending } from './kubernetes/request-pending.js'
import { twoNetworks } from './kubernetes/two-networks.js'
import { underPressure } from './kubernetes/under-pressure.js'
import { uninitialized } from './kubernetes/uninitialized.js'
import { uuidTwice } from './kubernetes/uuid-twice.js'
import { volumeLimit } from './kubernetes/volume-limit.js'
import { webhookDead } from './kubernetes/webhook-dead.js'
import { zoneStale } from './kubernetes/zone-stale.js'
import { agentOff } from './machines/agent-off.js'
import { agentSilent } from './machines/agent-silent.js'
import { ballooning } from './machines/ballooning.js'
import { bootsNoDisk } from './machines/boots-no-disk.js'
import { cpuTooOld } from './machines/cpu-too-old.js'
import { linkDown } from './machines/link-down.js'
import { mediumLeft } from './machines/medium-left.js'
import { neverTrimmed } from './machines/never-trimmed.js'
import { notWanted } from './machines/not-wanted.js'
import { outsidePool } from './machines/outside-pool.js'
import { secureBootOff } from './machines/secure-boot-off.js'
import { seedLeft } from './machines/seed-left.js'
import { talosSilent } from './machines/talos-silent.js'
import { unsafeCache } from './machines/unsafe-cache.js'
import { unverifiedVm } from './machines/unverified-vm.js'
import { vmHalted } from './machines/vm-halted.js'
import { vmLocked } from './machines/vm-locked.js'
import { vmMissing } from './machines/vm-missing.js'
import { vmStopped } from './machines/vm-stopped.js'
import { volumeNotReady } from './machines/volume-not-ready.js'
import { waitsForRestart } from './machines/waits-for-restart.js'
import { withoutConfig } from './machines/without-config.js'
import { controlPlanesTogether } from './placement/control-planes-together.js'
import { guestLarger } from './placement/guest-larger.js'
import { hostLoss } from './placement/host-loss.js'
import { memoryOvercommitted } from './placement/memory-overcommitted.js'
import { notWherePinned } from './placement/not-where-pinned.js'
import { reserveEaten } from './placement/reserve-eaten.js'
import { haManagerDead } from './proxmox/ha-manager-dead.js'
import { haStuck } from './proxmox/ha-stuck.js'
import { hostClock } from './proxmox/host-clock.js'
import { hostInMaintenance } from './proxmox/host-in-maintenance.js'
import { hostOffline } from './proxmox/host-offline.js'
import { hostSwaps } from './proxmox/host-swaps.js'
import { noQuorum } from './proxmox/no-quorum.js'
import { rootFull } from './proxmox/root-full.js'
import { storageFull } from './proxmox/storage-full.js'
import { storageUnavailable } from './proxmox/storage-unavailable.js'
import { thinPoolFull } from './proxmox/thin-pool-full.js'
import { unlikeCpus } from './proxmox/unlike-cpus.js'
import { changesPending } from './runs/changes-pending.js'
import { interruptedRun } from './runs/interrupted-run.js'
import { leaseAbandoned } from './runs/lease-abandoned.js'
import { notCreated } from './runs/not-created.js'
import { refusalFindings } from './runs/refused.js'
import { shutDown } from './runs/shut-down.js'
import { addressTwice } from './talos/address-twice.js'
import { configOnTrial } from './talos/config-on-trial.js'
import { diagnosed } from './talos/diagnosed.js'
import { diskInvisible } from './talos/disk-invisible.js'
import { diskNotGrown } from './talos/disk-not-grown.js'
import { extensionMissing } from './talos/extension-missing.js'
import { nodeClock } from './talos/node-clock.js'
import { notDiscovered } from './talos/not-discovered.js'
import { otherPlatform } from './talos/other-platform.js'
import { serviceUnhealthy } from './talos/service-unhealthy.js'
import { vipHolder } from './talos/vip-holder.js'
import { wrongChecksums } from './talos/wrong-checksums.js'
import { etcdVersions } from './versions/etcd-versions.js'
import { hostKernels } from './versions/host-kernels.js'
import { knownToBreak } from './versions/known-to-break.js'
import { kubeletVersion } from './versions/kubelet-version.js'
import { talosVersions } from './versions/talos-versions.js'

/** Every finding. What explains others, or must be solved before them, stands first. */
export const findingDefinitions: readonly FindingDefinition[] = [
  noMajority,
  etcdNotStarted,
  etcdUnanswered,
  noQuorum,
  hostOffline,
  storageUnavailable,
  notCreated,
  shutDown,
  thinPoolFull,
  storageFull,
  hostSwaps,
  rootFull,
  hostClock,
  haStuck,
  haManagerDead,
  hostInMaintenance,
  unlikeCpus,
  vmMissing,
  vmStopped,
  talosSilent,
  withoutConfig,
  vmHalted,
  unverifiedVm,
  mediumLeft,
  cpuTooOld,
  ballooning,
  vmLocked,
  volumeNotReady,
  secureBootOff,
  agentSilent,
  agentOff,
  notWanted,
  outsidePool,
  waitsForRestart,
  bootsNoDisk,
  linkDown,
  neverTrimmed,
  seedLeft,
  unsafeCache,
  nodeClock,
  otherPlatform,
  diskInvisible,
  diskNotGrown,
  serviceUnhealthy,
  diagnosed,
  wrongChecksums,
  notDiscovered,
  extensionMissing,
  vipHolder,
  configOnTrial,
  addressTwice,
  interruptedRun,
  changesPending,
  ...refusalFindings,
  leaseAbandoned,
  alarm,
  databaseFull,
  memberBehind,
  memberSick,
  evenMembers,
  mostlyUnused,
  slowWrites,
  wrongPeerAddress,
  memberWithoutMachine,
  blockedChanges,
  uuidTwice,
  nodeNotReady,
  nodeWithoutMachine,
  partDown,
  requestPending,
  machineIdTwice,
  nodeAddress,
  webhookDead,
  cordoned,
  twoNetworks,
  uninitialized,
  zoneStale,
  volumeLimit,
  underPressure,
  attachedNowhere,
  addonUnhealthy,
  masquerade,
  addonLeft,
  addonMissing,
  longhornWithoutIscsi,
  expiry,
  hostCertificate,
  secretsUnreadable,
  snapshotLate,
  noSnapshot,
  noDrill,
  jobOff,
  hostLoss,
  controlPlanesTogether,
  memoryOvercommitted,
  guestLarger,
  notWherePinned,
  reserveEaten,
  knownToBreak,
  talosVersions,
  kubeletVersion,
  etcdVersions,
  hostKernels,
  certificateUnchecked,
  singleControlPlane,
  noSchedule,
]
