import { createHash } from 'node:crypto'
import type { ClusterFacts, EtcdContent } from '../../kubernetes/seam.js'
import type { ConfigFacts } from '../config/config-facts.js'
import type { EtcdDataDirectory } from '../disks/system-disk.js'
import { type EtcdCluster, minorOf } from '../etcd/etcd-cluster.js'
import type { Boot } from './boot.js'
import { durations } from './durations.js'
import { etcdVersionOf } from './etcd-version.js'
import { awaitImage } from './image-pull.js'
import type { TalosMachine } from './machine.js'

/**
 * The etcd service of a control plane: it waits for data, for a bootstrap or for a cluster to join, then runs. After
 * leaving its cluster it stays stopped until the next boot.
 */
export async function runEtcd(boot: Boot): Promise<never> {
  const { machine } = boot
  const { services } = machine
  for (;;) {
    const data = machine.system?.ephemeral?.etcd
    const hasLeft = isStopped(machine)
    if (!hasLeft) await awaitImage(boot, 'etcd', machine.facts?.etcdImage ?? 'registry.k8s.io/etcd')
    if (hasLeft) await boot.wait(durations.retry)
    else if (data !== undefined) await runMember(boot, data)
    else {
      if (services.find('etcd')?.state !== 'Preparing') services.set('etcd', 'Preparing', 'Running pre state')
      await tryToJoin(boot)
      if (machine.system?.ephemeral?.etcd === undefined) await boot.wait(durations.retry)
    }
  }
}

/** The cluster and member of this machine's data. */
export function findMembership(machine: TalosMachine): { cluster: EtcdCluster; member: string } | undefined {
  const data = machine.system?.ephemeral?.etcd
  const cluster = data === undefined ? undefined : machine.fleet.etcd.find(data.cluster)
  return data === undefined || cluster === undefined ? undefined : { cluster, member: data.member }
}

/** Makes this machine the first member of a new etcd, empty or from a snapshot. */
export function foundEtcd(machine: TalosMachine, content?: EtcdContent): void {
  const { facts, fleet, system } = machine
  if (facts === undefined || system?.ephemeral === undefined)
    throw new Error('Only a configured control plane has an etcd.')
  const version = `3.${minorOf(etcdVersionOf(machine))}.0`
  const cluster = fleet.etcd.found(etcdIdentity(facts), clusterFactsOf(facts), version, content)
  const member = fleet.etcd.newMemberId()
  cluster.add({ id: member, ...memberFacts(machine), isLearner: false })
  system.ephemeral.etcd = { cluster: cluster.id, member }
  const detail = { cluster: facts.clusterId, etcd: cluster.id, member, recovered: content !== undefined }
  machine.record('etcd.bootstrapped', detail, true)
  machine.changed()
}

/** Members find each other by discovery, with their cluster's ID, and trust each other by their CA. */
function etcdIdentity(facts: ConfigFacts): string {
  return createHash('sha256').update(facts.etcdCa.crt).update(facts.clusterId).digest('hex')
}

/** The process runs until this boot ends or its data is removed. */
async function runMember(boot: Boot, data: EtcdDataDirectory): Promise<void> {
  const { machine, signal } = boot
  const { services, fleet } = machine
  const cluster = fleet.etcd.find(data.cluster)
  if (cluster?.members.has(data.member) !== true) {
    services.log('etcd').write('the member has been permanently removed from the cluster')
    return endAgainAndAgain(boot, data, 'Runner Containerd(etcd) exited without error, going to restart it')
  }
  if (data.isCorrupt === true) {
    services.log('etcd').write('panic: freepages: failed to get all reachable pages (invalid freelist page)')
    const problem = 'Error running Containerd(etcd), going to restart forever: task "etcd" failed: exit code 2'
    return endAgainAndAgain(boot, data, problem)
  }
  services.set('etcd', 'Starting', 'Starting etcd')
  await boot.pause(durations.etcdStart)
  const tooOld = findTooOld(cluster, etcdVersionOf(machine))
  if (tooOld !== undefined) {
    services.set('etcd', 'Failed', tooOld, false)
    return boot.wait(durations.etcdRestart)
  }
  const stop = cluster.run(data.member, () => !machine.isHung && !signal.aborted, etcdVersionOf(machine))
  machine.record('etcd.member-started', { etcd: cluster.id, member: data.member })
  try {
    services.set('etcd', 'Running', 'Started task etcd')
    await followHealth(boot, cluster, data)
  } finally {
    stop()
    machine.record('etcd.member-stopped', { etcd: cluster.id, member: data.member })
  }
}

/** etcd does not start below the cluster version; a downgrade lowers that first. */
function findTooOld(cluster: EtcdCluster, version: string): string | undefined {
  if (minorOf(version) >= minorOf(cluster.version)) return undefined
  const agreed = cluster.version.replace(/\.0$/, '')
  return `invalid downgrade; server version is lower than determined cluster version (${version} < ${agreed})`
}

async function followHealth(boot: Boot, cluster: EtcdCluster, data: EtcdDataDirectory): Promise<void> {
  const { machine } = boot
  const { services } = machine
  while (holds(machine, data) && cluster.members.has(data.member)) {
    const isHealthy = cluster.hasQuorum(data.member)
    if (services.find('etcd')?.healthy !== isHealthy) {
      const message = isHealthy ? 'Health check successful' : 'Health check failed: context deadline exceeded'
      services.set('etcd', 'Running', message, isHealthy)
    }
    cluster.agreeOnVersion()
    await becomeVoter(boot, cluster, data.member)
    await boot.wait(durations.retry)
  }
}

/** A learner that has caught up becomes a voter, which needs the majority. */
async function becomeVoter(boot: Boot, cluster: EtcdCluster, member: string): Promise<void> {
  const { machine } = boot
  if (cluster.members.get(member)?.isLearner !== true || !cluster.hasQuorum(member)) return
  if (cluster.laggards.has(member)) return
  await boot.wait(durations.etcdSync)
  if (!cluster.hasQuorum(member)) return
  cluster.promote(member)
  machine.record('etcd.member-promoted', { etcd: cluster.id, member })
}

/** One learner at a time. A machine without data whose address still belongs to a member must wait. */
async function tryToJoin(boot: Boot): Promise<void> {
  const { machine } = boot
  const { facts, fleet, services, system } = machine
  const cluster = facts === undefined ? undefined : fleet.etcd.findJoinable(etcdIdentity(facts))
  if (cluster === undefined || system?.ephemeral === undefined) return
  const fresh = memberFacts(machine)
  const members = [...cluster.members.values()]
  const twin = members.find(({ peerUrls }) => peerUrls.some((url) => fresh.peerUrls.includes(url)))
  if (twin !== undefined) {
    const message = `failed to join: member ${twin.id} has already been bootstrapped`
    if (services.find('etcd')?.message !== message) services.set('etcd', 'Preparing', message)
    return
  }
  if (members.some(({ isLearner }) => isLearner)) return
  const member = fleet.etcd.newMemberId()
  cluster.add({ id: member, ...fresh, isLearner: true })
  system.ephemeral.etcd = { cluster: cluster.id, member }
  machine.record('etcd.member-joined', { etcd: cluster.id, member }, true)
  await boot.pause(durations.etcdJoin)
}

/** Talos starts what ended again for ever: the service is shortly Running, and waits most of the time. */
async function endAgainAndAgain(boot: Boot, data: EtcdDataDirectory, message: string): Promise<void> {
  const { machine } = boot
  while (holds(machine, data) && !isStopped(machine)) {
    machine.services.set('etcd', 'Running', 'Started task etcd', false)
    await boot.wait(durations.etcdCrash)
    if (isStopped(machine)) return
    machine.services.set('etcd', 'Waiting', message, false)
    await boot.wait(durations.etcdRestart)
  }
}

function isStopped({ services }: TalosMachine): boolean {
  return ['Finished', 'Stopping'].includes(services.find('etcd')?.state ?? '')
}

function holds(machine: TalosMachine, data: EtcdDataDirectory): boolean {
  const current = machine.system?.ephemeral?.etcd
  return current?.cluster === data.cluster && current.member === data.member && current.isCorrupt === data.isCorrupt
}

function memberFacts({ hostname, addresses }: TalosMachine) {
  const [address = '127.0.0.1'] = addresses
  return { name: hostname, peerUrls: [`https://${address}:2380`], clientUrls: [`https://${address}:2379`] }
}

function clusterFactsOf({
  clusterName,
  podSubnets,
  serviceSubnets,
  cni,
  kubeProxy,
  inlineManifests,
  images: { 'kube-proxy': proxyImage },
}: ConfigFacts): ClusterFacts {
  const proxy = proxyImage === undefined ? {} : { proxyImage }
  return { name: clusterName, podSubnets, serviceSubnets, cni, kubeProxy, ...proxy, inlineManifests }
}
