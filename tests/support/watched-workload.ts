import { expect } from 'vitest'
import type { KubernetesObject } from '../../src/kubernetes/port.js'
import type { Lab } from '../../src/simulator/index.js'
import { byHand } from './by-hand.js'
import type { Stage } from './lab.js'

const name = 'web'
const labels = { app: name }
const replicas = 3
const least = 2

const deployment: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default', labels },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name, image: 'registry.k8s.io/pause:3.10' }] } },
  },
}

const budget: KubernetesObject = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'default' },
  spec: { minAvailable: least, selector: { matchLabels: labels } },
}

interface Pod {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>>; readonly deletionTimestamp?: string }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

interface Saved {
  readonly etcd: readonly { readonly store: { readonly store: { readonly objects: { readonly pods?: Pod[] } } } }[]
}

/** What was promised to users of the cluster while it was worked on, judged inside the lab. */
export interface Watched {
  /** What happened before is forgotten: somebody pulled a plug. */
  begin(): void
  /** From the moment when it was watched until now. */
  kept(pools: Readonly<Record<string, { readonly machines: readonly string[]; readonly maxAway: number }>>): void
}

/** A Deployment of three with a budget of two runs; from now on the lab looks after everything that happens. */
export async function watchWorkload(stage: Stage, vip: string): Promise<Watched> {
  const { lab } = stage
  const { world, signal } = await byHand(stage)
  const api = world.kubernetes.at([{ host: vip, port: 6443 }])
  await api.apply([deployment, budget], { fieldManager: 'test', force: true }, signal)
  while (readyPods(lab) < replicas) await world.clock.sleep(1000, signal)
  let from = lab.clock.now()
  let fewest = replicas
  lab.ledger.onRecord(({ event, mutating }) => {
    if (event !== 'call' || mutating) fewest = Math.min(fewest, readyPods(lab))
  })
  return {
    begin: () => {
      from = lab.clock.now()
      fewest = replicas
    },
    kept: (pools) => {
      const lasting = (outage: { from: number; to?: number }) => (outage.to ?? lab.clock.now()) - outage.from
      const outages = lab.availability.apiOutages(vip).filter((outage) => outage.from >= from)
      expect(outages.map(lasting).filter((ms) => ms > 10_000)).toEqual([])
      expect(lab.availability.etcdOutages().filter((outage) => outage.from >= from)).toEqual([])
      for (const { machines, maxAway } of Object.values(pools)) {
        const away = lab.availability.machineOutages().filter((one) => machines.includes(one.subject))
        const since = away.filter((outage) => outage.from >= from)
        const together = since.map(({ from: at }) => away.filter((other) => isDuring(at, other)).length)
        expect(Math.max(0, ...together)).toBeLessThanOrEqual(maxAway)
      }
      expect(fewest).toBeGreaterThanOrEqual(least)
    },
  }
}

function isDuring(at: number, { from, to }: { readonly from: number; readonly to?: number }): boolean {
  return from <= at && (to === undefined || to > at)
}

function readyPods({ talos }: Lab): number {
  const { etcd } = talos.save() as Saved
  const pods = etcd.at(-1)?.store.store.objects.pods ?? []
  return pods.filter(
    ({ metadata, status }) =>
      metadata.labels?.app === name &&
      metadata.deletionTimestamp === undefined &&
      status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
  ).length
}
