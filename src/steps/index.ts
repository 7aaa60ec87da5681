import { changeConfig, deliverConfig } from './apply-config.js'
import { approveCertificate } from './approve-certificate.js'
import { awaitBack } from './await-back.js'
import { awaitKubernetes } from './await-kubernetes.js'
import { awaitReady } from './await-ready.js'
import { awaitUpgraded } from './await-upgraded.js'
import { removeBackupJob, setBackupJob } from './backup-job.js'
import { bootstrapEtcd } from './bootstrap-etcd.js'
import { changeNetwork, undoTrial } from './change-network.js'
import { checkEvacuation } from './check-evacuation.js'
import { checkHealth, confirmHealth } from './check-health.js'
import { checkRoll } from './check-roll.js'
import { claimMachine } from './claim-machine.js'
import { deleteMachine } from './delete-machine.js'
import { deleteNode } from './delete-node.js'
import { downgradeEtcd } from './downgrade-etcd.js'
import { drainNode, uncordonNode } from './drain-node.js'
import { dropManagers } from './drop-managers.js'
import { dropSeed } from './drop-seed.js'
import { enableContent } from './enable-content.js'
import { fetchImage } from './fetch-image.js'
import { fillMachine } from './fill-machine.js'
import { removeFirewallGroups, setFirewallGroup } from './firewall-groups.js'
import { forgetEtcd } from './forget-etcd.js'
import { dropHaRules, removeHighAvailability, setHighAvailability } from './high-availability.js'
import { enableHostFirewall, prepareHostFirewall, removeHostFirewall, undoHostFirewall } from './host-firewall.js'
import { installAddon, removeAddon } from './install-addon.js'
import { joinNode, labelNode } from './join-node.js'
import { learnAddress } from './learn-address.js'
import { makeGuest } from './make-guest.js'
import { makeSecrets } from './make-secrets.js'
import { makeTemplate } from './make-template.js'
import { markIntent } from './mark-intent.js'
import { forgetHome, migrateMachine } from './migrate-machine.js'
import { beginRecovery, endRecovery, forgetGone } from './note-recovery.js'
import { startMachine, stopMachine } from './power.js'
import { proveIsolation } from './prove-isolation.js'
import { pullImage } from './pull-image.js'
import { reachMachine } from './reach-machine.js'
import { rebootMachine } from './reboot-machine.js'
import { rebootWithConfig } from './reboot-with-config.js'
import { reconfigureVm, restartVm } from './reconfigure-vm.js'
import { recoverEtcd } from './recover-etcd.js'
import { registerSchematic } from './register-schematic.js'
import { rememberEtcd } from './remember-etcd.js'
import { removeEtcdMember } from './remove-etcd-member.js'
import { removePool } from './remove-pool.js'
import { removeSeed } from './remove-seed.js'
import { renewTokens, rewriteSecrets } from './renew-key.js'
import { resetMachine } from './reset-machine.js'
import { resizeDisk } from './resize-disk.js'
import { restartKubelet } from './restart-kubelet.js'
import { markSurvivor, restartSurvivor } from './restart-survivor.js'
import { retireControlPlane } from './retire-control-plane.js'
import { reviveMachine } from './revive-machine.js'
import { advanceRotation, awaitRotated, beginRotation } from './rotate-key.js'
import { saveEtcd } from './save-etcd.js'
import { rememberSeals, sealMark } from './seal-mark.js'
import { awaitFirewall, setFirewall } from './set-firewall.js'
import { removeVmFirewall, setVmFirewall, undoVmFirewall } from './set-vm-firewall.js'
import { snapshotEtcd } from './snapshot-etcd.js'
import type { BoundStep, StepKind } from './step.js'
import { syncManifests } from './sync-manifests.js'
import { unprotectVm } from './unprotect-vm.js'
import { installTalos, upgradeMachine } from './upgrade-machine.js'
import { upgradePart } from './upgrade-part.js'
import { wipeEtcd } from './wipe-etcd.js'

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
  sealMark,
  rememberSeals,
  claimMachine,
  fillMachine,
  resizeDisk,
  startMachine,
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
  registerSchematic,
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
  stopMachine,
  unprotectVm,
  deleteMachine,
  removeSeed,
  forgetEtcd,
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
