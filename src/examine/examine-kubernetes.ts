import type { Observed } from '../observe/observed.js'
import type { World } from '../world.js'
import { ask } from './ask.js'
import { examineWebhooks } from './examine-webhooks.js'
import type { ExaminedKubernetes } from './examined-kubernetes.js'
import {
  addonJobOf,
  attachmentOf,
  budgetOf,
  componentsIn,
  driversOf,
  requestOf,
  settingsOf,
  volumeOf,
  workloadOf,
} from './read-objects.js'

const storage = 'storage.k8s.io/v1'
const componentPods = 'k8s-app in (kube-apiserver,kube-controller-manager,kube-scheduler)'

/** Objects that block drains, upgrades and volumes. */
export async function examineKubernetes(
  { machines, kubernetes }: Observed,
  world: World,
  signal: AbortSignal,
): Promise<Omit<ExaminedKubernetes, 'now'> | undefined> {
  const endpoints = machines.flatMap(({ mark, talos, address }) =>
    mark.role === 'controlplane' && talos.reach === 'secured' && address !== undefined
      ? [{ host: address, port: 6443 }]
      : [],
  )
  if (!kubernetes.seen || kubernetes.value === undefined || endpoints.length === 0) return undefined
  const api = world.kubernetes.at(endpoints)
  const list = (apiVersion: string, kind: string, labelSelector?: string) =>
    api.list({ apiVersion, kind }, undefined, labelSelector === undefined ? {} : { labelSelector }, signal)
  const all = <T>(apiVersion: string, kind: string, read: (object: Awaited<ReturnType<typeof list>>[number]) => T[]) =>
    ask(
      list(apiVersion, kind).then((objects) => objects.flatMap(read)),
      signal,
    )
  const ours = list('batch/v1', 'Job', 'app.kubernetes.io/managed-by=ichor')
  const config = api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'kube-system', 'cilium-config', signal)
  const [
    requests,
    budgets,
    webhooks,
    attachments,
    volumes,
    drivers,
    daemonSets,
    deployments,
    components,
    cilium,
    addonJobs,
  ] = await Promise.all([
    ask(
      api.pendingCsrs(signal).then((found) => found.map(requestOf)),
      signal,
    ),
    all('policy/v1', 'PodDisruptionBudget', budgetOf),
    ask(examineWebhooks(api, signal), signal),
    all(storage, 'VolumeAttachment', attachmentOf),
    all('v1', 'PersistentVolume', volumeOf),
    all(storage, 'CSINode', driversOf),
    all('apps/v1', 'DaemonSet', (object) => [workloadOf(object)]),
    ask(
      api
        .list({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'kube-system', {}, signal)
        .then((found) => found.map(workloadOf)),
      signal,
    ),
    ask(
      api
        .list({ apiVersion: 'v1', kind: 'Pod' }, 'kube-system', { labelSelector: componentPods }, signal)
        .then(componentsIn),
      signal,
    ),
    ask(config.then(settingsOf), signal),
    ask(
      ours.then((jobs) => jobs.flatMap(addonJobOf)),
      signal,
    ),
  ])
  return {
    requests,
    budgets,
    webhooks,
    attachments,
    volumes,
    drivers,
    daemonSets,
    deployments,
    components,
    cilium,
    addonJobs,
  }
}
