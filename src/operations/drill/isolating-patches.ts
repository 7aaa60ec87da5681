import { type Contract, hasNetworkDocuments, hasSplitDocuments } from '../../talos/config/contract.js'
import { newDocument } from '../../talos/config/documents/new-document.js'

/**
 * No scheduler and no controllers, so that nothing is started, moved or deleted; no node that pods could be bound to;
 * and the clock of the host, because there is no time server on the bridge and etcd would wait for one.
 */
export function isolatingPatches(contract: Contract): object[] {
  const time = hasNetworkDocuments(contract)
    ? newDocument('TimeSyncConfig', { enabled: false })
    : { machine: { time: { disabled: true } } }
  if (!hasSplitDocuments(contract)) {
    const machine = {
      controlPlane: { controllerManager: { disabled: true }, scheduler: { disabled: true } },
      kubelet: { skipNodeRegistration: true },
    }
    return [{ machine }, time]
  }
  return [
    newDocument('KubeControllerManagerConfig', { enabled: false }),
    newDocument('KubeSchedulerConfig', { enabled: false }),
    newDocument('KubeNodeConfig', { skipNodeRegistration: true }),
    time,
  ]
}
