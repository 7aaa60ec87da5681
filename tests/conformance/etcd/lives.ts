import { randomBytes } from 'node:crypto'
import type { Operation, RealEtcd } from './real-etcd.js'

/** An etcd that has lived in a certain way. */
export interface EtcdLife {
  readonly title: string
  readonly live: (etcd: RealEtcd) => Promise<void>
}

const object = (key: string, size = 400): Operation => ({ put: key, value: randomBytes(size) })

/** Kinds with and without namespaces, groups, renamed paths, and keys that are not Kubernetes'. */
const kinds: readonly Operation[] = [
  ...['default', 'kube-system'].flatMap((namespace) => [
    ...range(5).map((index) => object(`/registry/pods/${namespace}/pod-${index}`)),
    object(`/registry/services/specs/${namespace}/web`),
    object(`/registry/services/endpoints/${namespace}/web`),
    object(`/registry/example.com/widgets/${namespace}/one`),
  ]),
  object('/registry/minions/dev-cp-1'),
  object('/registry/namespaces/default'),
  object('/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com'),
  object('/registry/ranges/serviceips'),
  object('compact_rev_key', 4),
  object('talos:v1:manifestApplyMutex/694d', 1),
  object('/calico/resources/v3/ippools/default'),
]

export const lives: readonly EtcdLife[] = [
  { title: 'an etcd without a single key', live: async () => {} },
  { title: 'one of every kind', live: (etcd) => etcd.change(kinds) },
  {
    title: 'deleted, deleted by prefix, and written again',
    live: async (etcd) => {
      await etcd.change(kinds)
      await etcd.change([{ delete: '/registry/pods/default/pod-1' }])
      await etcd.change([{ delete: '/registry/pods/kube-system/', isPrefix: true }])
      await etcd.change([object('/registry/pods/default/pod-1'), object('/registry/pods/kube-system/pod-3')])
      await etcd.change([{ delete: '/registry/minions/dev-cp-1' }])
    },
  },
  {
    title: 'values of a page, of many pages and of nothing',
    live: (etcd) =>
      etcd.change(
        [0, 1, 4000, 4096, 65_536, 1_000_000].map((size) => object(`/registry/secrets/default/s${size}`, size)),
      ),
  },
  {
    title: '20,000 keys, half of them deleted, then compacted and half as many written',
    live: async (etcd) => {
      await fill(etcd, '/registry/configmaps/default/c', 20_000)
      for (const tenth of range(5))
        await etcd.change([{ delete: `/registry/configmaps/default/c${tenth}`, isPrefix: true }])
      await etcd.compact()
      await fill(etcd, '/registry/leases/kube-node-lease/l', 10_000)
    },
  },
  {
    title: 'compacted and defragmented',
    live: async (etcd) => {
      await fill(etcd, '/registry/events/default/e', 5_000)
      await etcd.change([{ delete: '/registry/events/default/e1', isPrefix: true }])
      await etcd.compact()
      await etcd.defragment()
      await etcd.change(kinds)
    },
  },
]

async function fill(etcd: RealEtcd, prefix: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += 500) {
    await etcd.change(range(500).map((index) => object(`${prefix}${start + index}`, 200 + (index % 300))))
  }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
