import type { SimulatedKubelet } from '../../kubernetes/seam.js'
import type { ServedApi } from '../cluster/kubernetes-apis.js'
import { nodeFactsOf, versionOfImage } from '../config/config-facts.js'
import { isMapping, type MachineConfig } from '../config/documents.js'
import { readerOf } from '../config/read-values.js'
import { staticPodsOf } from '../resources/static-pods.js'
import type { Boot } from './boot.js'
import { durations } from './durations.js'
import { awaitImage } from './image-pull.js'
import type { TalosMachine } from './machine.js'

/** The kubelet: started with the config's image, registered once an API responds, restarted when its config changes. */
export async function runKubelet(boot: Boot): Promise<never> {
  const { machine } = boot
  for (;;) {
    const started = fingerprint(machine)
    const denied = deniedKubeletArg(machine)
    if (denied !== undefined) {
      const message = `extra arg "${denied}" is not allowed to be overridden`
      if (machine.services.find('kubelet')?.message !== message) machine.services.set('kubelet', 'Waiting', message)
      await boot.wait(durations.retry)
      continue
    }
    await awaitImage(boot, 'kubelet', machine.facts?.images.kubelet ?? 'ghcr.io/siderolabs/kubelet')
    machine.services.set('kubelet', 'Starting', 'Starting service')
    await boot.pause(durations.kubelet)
    machine.services.up('kubelet')
    try {
      await serve(boot, started)
    } finally {
      machine.nodeIsReady = false
    }
    if (machine.services.find('kubelet')?.state !== 'Stopping')
      machine.services.set('kubelet', 'Stopping', 'Sending SIGTERM to task kubelet')
    machine.services.remove('kubelet')
    machine.changed()
    await boot.wait(durations.retry)
  }
}

/** A config with such an argument is accepted, but the kubelet does not start. */
function deniedKubeletArg({ config }: TalosMachine): string | undefined {
  if (config === undefined) return undefined
  const args = readerOf(config).either('KubeletConfig', 'extraArgs', 'machine.kubelet.extraArgs')
  return deniedArgs.find((name) => isMapping(args) && name in args)
}

const deniedArgs = [
  'bootstrap-kubeconfig',
  'kubeconfig',
  'container-runtime',
  'container-runtime-endpoint',
  'config',
  'cert-dir',
]

/** The Kubernetes API as this node reaches it: any control plane by discovery, otherwise the endpoint. */
export function findApi(machine: TalosMachine): ServedApi | undefined {
  const { facts, fleet } = machine
  if (facts === undefined) return undefined
  const [own = ''] = machine.addresses
  const canReach = (api: ServedApi) =>
    api.machine.facts?.bootstrapToken === facts.bootstrapToken &&
    (api.machine === machine || fleet.network.canConnect(own, api.machine.addresses[0] ?? '', facts.apiPort))
  const apis = fleet.apis.trustedBy([facts.kubernetesCa.crt, ...facts.acceptedKubernetesCas])
  if (facts.discovery || facts.role === 'controlplane') return apis.find(canReach)
  const endpoint = /^https:\/\/\[?([^\]/]+?)\]?(?::\d+)?\/?$/.exec(facts.endpoint)?.[1] ?? ''
  const isName = !/^[\d.]+$|:/.test(endpoint)
  return apis.find((api) => (isName || api.addresses.has(endpoint)) && canReach(api))
}

/**
 * Runs until it must restart. It registers with the first API that responds, and never again: a recreated etcd does not
 * have its node, a restored one does.
 */
async function serve(boot: Boot, started: string): Promise<void> {
  const { machine } = boot
  let hasRegistered = false
  while (started === fingerprint(machine)) {
    const api = findApi(machine)
    if (api === undefined) {
      await boot.wait(durations.retry)
      continue
    }
    const kubelet = startKubelet(machine, api, hasRegistered)
    hasRegistered = true
    try {
      await follow(boot, kubelet, () => started === fingerprint(machine) && !isReplaced(api, machine))
    } finally {
      kubelet?.stop()
    }
  }
}

function isReplaced({ store }: ServedApi, machine: TalosMachine): boolean {
  const now = findApi(machine)
  return now !== undefined && now.store !== store
}

function startKubelet(machine: TalosMachine, api: ServedApi, hasRegistered: boolean): SimulatedKubelet | undefined {
  const { config, facts, hardware, asset } = machine
  if (config === undefined || facts === undefined) return undefined
  const { registers, ...node } = nodeFactsOf(config)
  if (!registers) return undefined
  return api.store.startKubelet({
    ...node,
    hasRegistered,
    nodeName: machine.hostname,
    role: facts.role,
    systemUuid: hardware.uuid,
    bootId: machine.bootId,
    placement: () => ({ host: hardware.host, vmid: hardware.vmid }),
    addresses: machine.addresses,
    version: versionOfImage(facts.images.kubelet) ?? 'v0.0.0',
    talosVersion: asset?.talos ?? '',
    extensions: asset?.extensions ?? [],
    staticPods: () => staticPodsOf(machine),
    canReachApi: () => !machine.isHung && findApi(machine) !== undefined,
  })
}

async function follow(boot: Boot, kubelet: SimulatedKubelet | undefined, goesOn: () => boolean): Promise<void> {
  const { machine } = boot
  while (goesOn()) {
    const isReady = kubelet?.isNodeReady === true
    if (machine.nodeIsReady !== isReady) {
      machine.nodeIsReady = isReady
      machine.record('kubernetes.node', { ready: isReady })
      if (isReady) findApi(machine)?.store.cordon(machine.hostname, false)
      machine.changed()
    }
    await boot.wait(durations.nodeReadyPoll)
  }
}

const ofConfig = new WeakMap<MachineConfig, string>()

/** What the kubelet was started with; polled every few seconds, so the part from the config is cached. */
function fingerprint({ config, facts, hostname, addresses, kubeletRestarts }: TalosMachine): string {
  if (config === undefined || facts === undefined) return ''
  const known =
    ofConfig.get(config) ??
    JSON.stringify([facts.images.kubelet, facts.kubernetesCa.crt, facts.acceptedKubernetesCas, nodeFactsOf(config)])
  ofConfig.set(config, known)
  return `${known} ${hostname} ${addresses.join()} ${kubeletRestarts}`
}
