import { changeConfig, deliverConfig } from './apply-config.js'
import { approveCertificate } from './approve-certificate.js'
import { awaitKubernetes } from './await-kubernetes.js'
import { awaitReady } from './await-ready.js'
import { bootstrapEtcd } from './bootstrap-etcd.js'
import { checkHealth } from './check-health.js'
import { claimMachine } from './claim-machine.js'
import { dropSeed } from './drop-seed.js'
import { enableContent } from './enable-content.js'
import { fetchImage } from './fetch-image.js'
import { fillMachine } from './fill-machine.js'
import { forgetEtcd } from './forget-etcd.js'
import { installAddon, removeAddon } from './install-addon.js'
import { joinNode, labelNode } from './join-node.js'
import { learnAddress } from './learn-address.js'
import { makeGuest } from './make-guest.js'
import { makeSecrets } from './make-secrets.js'
import { makeTemplate } from './make-template.js'
import { awaitBack, emptyNode, uncordonNode } from './pause-node.js'
import { startMachine, stopMachine } from './power.js'
import { reachMachine } from './reach-machine.js'
import { rebootWithConfig } from './reboot-with-config.js'
import { reconfigureVm, restartVm } from './reconfigure-vm.js'
import { removeEtcdMember } from './remove-etcd-member.js'
import { deleteMachine } from './remove-machine.js'
import { removePool } from './remove-pool.js'
import { removeSeed } from './remove-seed.js'
import { resizeDisk } from './resize-disk.js'
import { restartKubelet } from './restart-kubelet.js'
import { deleteNode, drainNode, resetMachine } from './retire-node.js'
import type { Step } from './step.js'

/** Every step there is, by its kind. */
export const steps: ReadonlyMap<string, Step> = new Map(
  [
    makeSecrets,
    enableContent,
    fetchImage,
    makeTemplate,
    makeGuest,
    claimMachine,
    fillMachine,
    resizeDisk,
    startMachine,
    learnAddress,
    deliverConfig,
    reachMachine,
    dropSeed,
    bootstrapEtcd,
    awaitKubernetes,
    restartKubelet,
    joinNode,
    labelNode,
    approveCertificate,
    awaitReady,
    installAddon,
    checkHealth,
    removeAddon,
    reconfigureVm,
    emptyNode,
    restartVm,
    awaitBack,
    uncordonNode,
    changeConfig,
    rebootWithConfig,
    drainNode,
    resetMachine,
    deleteNode,
    removeEtcdMember,
    stopMachine,
    deleteMachine,
    removeSeed,
    forgetEtcd,
    removePool,
  ].map((step) => [step.kind, step]),
)

export function stepOf(kind: string): Step {
  const step = steps.get(kind)
  if (step === undefined) throw new Error(`there is no step ${kind}`)
  return step
}
