import { observeAddons } from '../addons/installed-addons.js'
import { type Seen, seen, unseen } from '../cluster/seen.js'
import { minorOf, parseVersion } from '../cluster/version.js'
import { reasonOf } from '../errors.js'
import type { DeprecatedApi, InstalledChart, KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import type { World } from '../world.js'
import { firstAnswer } from './first-answer.js'
import type { ObserveScope } from './observe-scope.js'
import type { ObservedEtcd, ObservedKubernetes, ObservedMachine } from './observed.js'
import { podNetworksOf } from './pod-networks.js'

const patienceMs = 8000

interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Nodes and addons, as the first control plane that responds reports them. Without etcd there is no Kubernetes. */
export async function askKubernetes(
  controlPlanes: readonly ObservedMachine[],
  etcd: Promise<Seen<ObservedEtcd | undefined>>,
  { kubernetesVersion }: Pick<ObserveScope, 'kubernetesVersion'>,
  { kubernetes }: World,
  signal: AbortSignal,
): Promise<Seen<ObservedKubernetes | undefined>> {
  const endpoints = controlPlanes.flatMap(({ talos: { reach }, address }) =>
    reach === 'secured' && address !== undefined ? [{ host: address, port: 6443 }] : [],
  )
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    if (endpoints.length === 0) throw new Error('no control plane answers')
    // An API server without a healthy etcd accepts calls, and answers late or never.
    const ask = async (one: Endpoint, until: AbortSignal) => ({ one, nodes: await kubernetes.at([one]).nodes(until) })
    const { one, nodes } = await firstAnswer(endpoints, ask, patience)
    const api = kubernetes.at([one, ...endpoints.filter((other) => other !== one)])
    const daemonSetKind = { apiVersion: 'apps/v1', kind: 'DaemonSet' }
    const [version, daemonSets] = await Promise.all([
      api.version(patience),
      api.list(daemonSetKind, undefined, {}, patience),
    ])
    const proxyImage = findProxyImage(daemonSets)
    const proxy = proxyImage === undefined ? {} : { proxyImage }
    const podNetworks = podNetworksOf(daemonSets)
    const asked = isAnotherMinor(version, kubernetesVersion)
      ? {
          deprecated: await askDeprecated(endpoints, { from: version, to: kubernetesVersion }, kubernetes, patience),
          charts: await askCharts(api, patience),
        }
      : {}
    return seen({ version, ...proxy, ...asked, podNetworks, nodes, ...(await observeAddons(api, patience)) })
  } catch (thrown) {
    signal.throwIfAborted()
    const found = await etcd
    return found.seen && found.value === undefined ? seen(undefined) : unseen(reasonOf(thrown))
  }
}

function isAnotherMinor(runs: string, wanted: string): boolean {
  const [one, other] = [parseVersion(runs), parseVersion(wanted)]
  return one !== undefined && other !== undefined && minorOf(one) !== minorOf(other)
}

/**
 * Each API server counts only its own requests, so all of them are queried. The object itself records who wrote it with
 * a deprecated API.
 */
async function askDeprecated(
  endpoints: readonly { readonly host: string; readonly port: number }[],
  { from, to }: { readonly from: string; readonly to: string },
  kubernetes: World['kubernetes'],
  signal: AbortSignal,
): Promise<Seen<readonly DeprecatedApi[]>> {
  try {
    const all = await Promise.all(endpoints.map((endpoint) => kubernetes.at([endpoint]).deprecatedApis(signal)))
    const minors = { from: parseVersion(from)?.minor ?? 0, to: parseVersion(to)?.minor ?? 0 }
    const written = await kubernetes.at(endpoints).objectsOfRemovedApis(minors, signal)
    return seen([...new Map([...all.flat(), ...written].map((one) => [one.name, one])).values()])
  } catch (thrown) {
    return unseen(reasonOf(thrown))
  }
}

async function askCharts(api: KubernetesApi, signal: AbortSignal): Promise<Seen<readonly InstalledChart[]>> {
  try {
    return seen(await api.charts(signal))
  } catch (thrown) {
    return unseen(reasonOf(thrown))
  }
}

function findProxyImage(daemonSets: readonly KubernetesObject[]): string | undefined {
  const found = daemonSets.find(
    ({ metadata: { name, namespace } }) => namespace === 'kube-system' && name === 'kube-proxy',
  )
  const { template } = (found?.spec ?? {}) as { template?: { spec?: { containers?: { image?: string }[] } } }
  return template?.spec?.containers?.[0]?.image
}
