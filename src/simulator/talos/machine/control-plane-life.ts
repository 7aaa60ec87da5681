import { versionOfImage } from '../config/config-facts.js'
import type { EtcdCluster } from '../etcd/etcd-cluster.js'
import type { Boot } from './boot.js'
import { durations } from './durations.js'
import { findMembership } from './etcd-life.js'
import { pullProblem } from './image-pull.js'
import { encryptionKeys, secretsOf, secretsVersion } from './kubernetes-secrets.js'
import type { TalosMachine } from './machine.js'

/** The static pods of a control plane: they start after etcd and serve Kubernetes on 6443, and on the VIP. */
export async function runControlPlane(boot: Boot): Promise<never> {
  const { machine } = boot
  for (;;) {
    const membership = findMembership(machine)
    const canPull = pullProblem(machine, machine.facts?.images['kube-apiserver'] ?? 'registry.k8s.io') === undefined
    if (membership !== undefined && isServing(machine, membership) && canPull) await serve(boot, membership)
    await boot.wait(durations.retry)
  }
}

interface Membership {
  readonly cluster: EtcdCluster
  readonly member: string
}

function isServing(machine: TalosMachine, { cluster, member }: Membership): boolean {
  return machine.services.isHealthy('etcd') && cluster.members.get(member)?.isLearner === false
}

/** Serves until etcd stops here, the config changes what is served, or this boot ends. */
async function serve(boot: Boot, { cluster, member }: Membership): Promise<void> {
  const { machine } = boot
  await boot.pause(hasImage(machine) ? durations.staticPodsAgain : durations.staticPods)
  const { facts, fleet } = machine
  if (facts === undefined) return
  const served = fingerprint(machine)
  machine.servedSecrets = secretsVersion(machine)
  const serving: Serving = { machine, cluster, member, addresses: new Set(), servers: new Map() }
  const forget = fleet.apis.open(facts.kubernetesCa.crt, { ...serving, store: cluster.store })
  const [own = ''] = machine.addresses
  try {
    await open(serving, own)
    machine.staticPodsAreUp = true
    machine.record('kubernetes.api-served', { address: own })
    machine.changed()
    while (served === fingerprint(machine) && machine.services.find('etcd')?.state === 'Running') {
      await holdVips(serving)
      await boot.wait(durations.retry)
    }
  } finally {
    machine.staticPodsAreUp = false
    machine.vips.clear()
    void machine.api.refresh().catch(() => {})
    forget()
    await Promise.all([...serving.servers.values()].map((server) => server.close()))
    machine.changed()
  }
}

function hasImage({ facts, system }: TalosMachine): boolean {
  return system?.ephemeral?.images.includes(`cri/${facts?.images['kube-apiserver']}`) ?? false
}

/** An API server and its addresses. */
interface Serving {
  readonly machine: TalosMachine
  readonly cluster: EtcdCluster
  readonly member: string
  readonly addresses: Set<string>
  readonly servers: Map<string, { close(): Promise<void> }>
}

async function open({ machine, cluster, member, addresses, servers }: Serving, address: string): Promise<void> {
  const { facts, fleet, hostname, networkFacts } = machine
  if (facts === undefined) return
  const { key, acceptedKeys, issuer } = facts.serviceAccount
  const own = [...machine.addresses, ...(networkFacts?.vips ?? [])]
  const loopbacks = own.map((one) => fleet.network.loopbackOf(one))
  const names = [...facts.apiServerSans, hostOf(facts.endpoint), hostname, ...own, ...loopbacks]
  const server = await cluster.store.serveApi({
    network: fleet.network,
    address,
    port: facts.apiPort,
    nodeName: hostname,
    ca: facts.kubernetesCa,
    acceptedCas: facts.acceptedKubernetesCas,
    encryptionKeys: encryptionKeys(facts.etcdEncryption),
    ...(key === '' ? {} : { serviceAccount: { privateKey: key, acceptedKeys, issuer } }),
    certSans: [...new Set(names)],
    version: versionOfImage(facts.images['kube-apiserver']) ?? 'v0.0.0',
    inlineManifests: facts.inlineManifests,
    hasQuorum: () => cluster.hasQuorum(member) && !machine.isHung,
  })
  servers.set(address, server)
  addresses.add(address)
}

/** One control plane of the cluster holds the VIP; after its holder has failed it is free when the lease expires. */
async function holdVips(serving: Serving): Promise<void> {
  const { machine, cluster, member } = serving
  if (cluster.hasQuorum() && !cluster.hasQuorum(member)) await dropVips(serving)
  for (const vip of machine.networkFacts?.vips ?? []) {
    if (machine.vips.has(vip) || !cluster.hasQuorum(member)) continue
    if (!machine.fleet.vips.take(vip, machine)) continue
    try {
      await open(serving, vip)
      machine.vips.add(vip)
      void machine.api.refresh().catch(() => {})
      machine.record('vip.held', { vip })
      machine.changed()
    } catch {
      machine.log(`[talos] VIP ${vip} is in use by another machine`)
    }
  }
}

/** A holder that is cut off from the majority releases it: another one will take it. */
async function dropVips({ machine, servers, addresses }: Serving): Promise<void> {
  for (const vip of machine.vips) {
    await servers.get(vip)?.close()
    servers.delete(vip)
    addresses.delete(vip)
    machine.record('vip.dropped', { vip })
  }
  machine.vips.clear()
  void machine.api.refresh().catch(() => {})
}

/** What the API server was started with: a change means a restart of the static pod. */
function fingerprint({ facts, addresses, hostname }: TalosMachine): string {
  if (facts === undefined) return ''
  const { images, apiServerSans, apiPort } = facts
  return JSON.stringify([secretsOf(facts), images['kube-apiserver'], apiServerSans, apiPort, addresses, hostname])
}

function hostOf(endpoint: string): string {
  try {
    return new URL(endpoint).hostname.replace(/^\[|\]$/g, '')
  } catch {
    return endpoint
  }
}
