import { adoptMachine } from '../steps/adopt-machine.js'
import { changeConfig, deliverConfig } from '../steps/apply-config.js'
import { approveCertificate } from '../steps/approve-certificate.js'
import { awaitBack } from '../steps/await-back.js'
import { awaitKubernetes } from '../steps/await-kubernetes.js'
import { awaitReady } from '../steps/await-ready.js'
import { awaitUpgraded } from '../steps/await-upgraded.js'
import { removeBackupJob, setBackupJob } from '../steps/backup-job.js'
import { bootstrapEtcd } from '../steps/bootstrap-etcd.js'
import { changeNetwork, undoTrial } from '../steps/change-network.js'
import { checkEvacuation } from '../steps/check-evacuation.js'
import { checkHealth, confirmHealth } from '../steps/check-health.js'
import { checkRoll } from '../steps/check-roll.js'
import { claimMachine } from '../steps/claim-machine.js'
import { defragmentEtcd } from '../steps/defragment-etcd.js'
import { deleteMachine } from '../steps/delete-machine.js'
import { deleteNode } from '../steps/delete-node.js'
import { disarmEtcd } from '../steps/disarm-etcd.js'
import { downgradeEtcd } from '../steps/downgrade-etcd.js'
import { drainNode, uncordonNode } from '../steps/drain-node.js'
import { dropSeed } from '../steps/drop-seed.js'
import { emptyPool } from '../steps/empty-pool.js'
import { enableContent } from '../steps/enable-content.js'
import { fetchImage } from '../steps/fetch-image.js'
import { fillMachine } from '../steps/fill-machine.js'
import { forgetEtcd } from '../steps/forget-etcd.js'
import { awaitStorages, shutDownGuest, startGuest } from '../steps/guest-power.js'
import { installAddon, removeAddon } from '../steps/install-addon.js'
import { joinNode, labelNode } from '../steps/join-node.js'
import { learnAddress } from '../steps/learn-address.js'
import { makeGuest } from '../steps/make-guest.js'
import { makeSecrets } from '../steps/make-secrets.js'
import { makeTemplate } from '../steps/make-template.js'
import { markIntent } from '../steps/mark-intent.js'
import { forgetHome, migrateMachine } from '../steps/migrate-machine.js'
import { beginRecovery, endRecovery, forgetGone } from '../steps/note-recovery.js'
import { startMachine, stopMachine } from '../steps/power.js'
import { proveIsolation } from '../steps/prove-isolation.js'
import { pullImage } from '../steps/pull-image.js'
import { reachMachine } from '../steps/reach-machine.js'
import { rebootMachine } from '../steps/reboot-machine.js'
import { rebootWithConfig } from '../steps/reboot-with-config.js'
import { reconfigureVm, restartVm } from '../steps/reconfigure-vm.js'
import { recordKeys } from '../steps/record-keys.js'
import { recoverEtcd } from '../steps/recover-etcd.js'
import { registerSchematic } from '../steps/register-schematic.js'
import { releaseMachine } from '../steps/release-machine.js'
import { rememberEtcd } from '../steps/remember-etcd.js'
import { removeEtcdMember } from '../steps/remove-etcd-member.js'
import { removePool } from '../steps/remove-pool.js'
import { removeSeed } from '../steps/remove-seed.js'
import { renewTokens, rewriteSecrets } from '../steps/renew-key.js'
import { resetMachine } from '../steps/reset-machine.js'
import { resizeDisk } from '../steps/resize-disk.js'
import { restartKubelet } from '../steps/restart-kubelet.js'
import { markSurvivor, restartSurvivor } from '../steps/restart-survivor.js'
import { retireControlPlane } from '../steps/retire-control-plane.js'
import { reviveMachine } from '../steps/revive-machine.js'
import { advanceRotation, awaitRotated, beginRotation } from '../steps/rotate-key.js'
import { runHook } from '../steps/run-hook.js'
import { saveEtcd } from '../steps/save-etcd.js'
import { rememberSeals, sealMark } from '../steps/seal-mark.js'
import { endShutdown, shutDownMachine } from '../steps/shut-down-machine.js'
import { snapshotEtcd } from '../steps/snapshot-etcd.js'
import type { BoundStep, StepKind } from '../steps/step.js'
import { syncManifests } from '../steps/sync-manifests.js'
import { unprotectVm } from '../steps/unprotect-vm.js'
import { installTalos, upgradeMachine } from '../steps/upgrade-machine.js'
import { upgradePart } from '../steps/upgrade-part.js'
import { wipeEtcd } from '../steps/wipe-etcd.js'
import { dropManagers } from './firewall/hosts/drop-managers.js'
import {
  enableHostFirewall,
  prepareHostFirewall,
  removeHostFirewall,
  undoHostFirewall,
} from './firewall/hosts/host-firewall.js'
import { awaitFirewall, setFirewall } from './firewall/node/set-firewall.js'
import { removeFirewallGroups, setFirewallGroup } from './firewall/vm/firewall-groups.js'
import { removeVmFirewall, setVmFirewall, undoVmFirewall } from './firewall/vm/set-vm-firewall.js'
import { dropHaRules, removeHighAvailability, setHighAvailability } from './high-availability/set-high-availability.js'

/** All step kinds. @internal */
export const stepKinds: readonly StepKind[] = [
  beginRotation,
  advanceRotation,
  renewTokens,
  rewriteSecrets,
  awaitRotated,
  makeSecrets,
  enableContent,
  fetchImage,
  registerSchematic,
  makeTemplate,
  makeGuest,
  startGuest,
  awaitStorages,
  adoptMachine,
  sealMark,
  recordKeys,
  rememberSeals,
  claimMachine,
  fillMachine,
  resizeDisk,
  startMachine,
  endShutdown,
  reviveMachine,
  checkEvacuation,
  migrateMachine,
  forgetHome,
  learnAddress,
  deliverConfig,
  reachMachine,
  dropSeed,
  setBackupJob,
  removeBackupJob,
  dropHaRules,
  setHighAvailability,
  removeHighAvailability,
  runHook,
  saveEtcd,
  forgetGone,
  beginRecovery,
  markSurvivor,
  wipeEtcd,
  retireControlPlane,
  bootstrapEtcd,
  proveIsolation,
  recoverEtcd,
  endRecovery,
  rememberEtcd,
  awaitKubernetes,
  restartKubelet,
  joinNode,
  labelNode,
  approveCertificate,
  awaitReady,
  installAddon,
  checkHealth,
  removeAddon,
  undoTrial,
  reconfigureVm,
  markIntent,
  changeNetwork,
  drainNode,
  restartVm,
  awaitBack,
  uncordonNode,
  checkRoll,
  undoVmFirewall,
  awaitFirewall,
  setFirewall,
  setFirewallGroup,
  setVmFirewall,
  removeVmFirewall,
  removeFirewallGroups,
  undoHostFirewall,
  prepareHostFirewall,
  enableHostFirewall,
  dropManagers,
  removeHostFirewall,
  changeConfig,
  rebootWithConfig,
  restartSurvivor,
  confirmHealth,
  snapshotEtcd,
  pullImage,
  installTalos,
  upgradeMachine,
  awaitUpgraded,
  downgradeEtcd,
  upgradePart,
  syncManifests,
  rebootMachine,
  resetMachine,
  deleteNode,
  removeEtcdMember,
  defragmentEtcd,
  disarmEtcd,
  stopMachine,
  shutDownMachine,
  shutDownGuest,
  unprotectVm,
  deleteMachine,
  removeSeed,
  forgetEtcd,
  releaseMachine,
  emptyPool,
  removePool,
]

/** Finds a step by its kind and binds its arguments, which are data. */
export type StepRegistry = (kind: string, args: unknown) => BoundStep

const byKind = new Map(stepKinds.map((step) => [step.kind, step]))

export const stepOf: StepRegistry = (kind, args) => {
  const step = byKind.get(kind)
  if (step === undefined) throw new Error(`there is no step ${kind}`)
  return step.parse(args)
}
