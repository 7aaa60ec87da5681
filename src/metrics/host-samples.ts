import { factsFrom } from '../desired/places.js'
import { PlanRefused } from '../errors.js'
import type { Facts } from '../findings/facts.js'
import { place, refitWithout, surviveWithout } from '../placement/index.js'
import type { Sample } from './families.js'

/** Hosts, their load and storages, and what happens without one. */
export function hostSamples(cluster: string, facts: Facts): Sample[] {
  return [
    ...upSamples(cluster, facts),
    ...loadSamples(cluster, facts),
    ...survivalSamples(cluster, facts),
    ...storageSamples(cluster, facts),
  ]
}

function upSamples(cluster: string, { observed }: Facts): Sample[] {
  return observed.proxmox.hosts.map(({ name: host, online }) => ({
    name: 'host_up',
    labels: { cluster, host },
    value: Number(online),
  }))
}

function loadSamples(cluster: string, { examined }: Facts): Sample[] {
  if (examined?.load.seen !== true) return []
  return examined.load.value.hosts.flatMap(({ name: host, cpuRatio, ioWaitRatio, memory, traffic }): Sample[] => {
    const labels = { cluster, host }
    return [
      { name: 'host_cpu_usage_ratio', labels, value: cpuRatio },
      { name: 'host_io_wait_ratio', labels, value: ioWaitRatio },
      { name: 'host_memory_bytes', labels, value: memory.total },
      { name: 'host_memory_used_bytes', labels, value: memory.used },
      { name: 'host_network_receive_bytes_total', labels, value: traffic.received },
      { name: 'host_network_transmit_bytes_total', labels, value: traffic.sent },
    ]
  })
}

/** Nothing while the machines cannot be placed at all, which is a finding. */
function survivalSamples(cluster: string, { inventory, observed }: Facts): Sample[] {
  const facts = factsFrom(observed)
  const hostOf = placed(inventory, facts)
  if (hostOf === undefined) return []
  const offline = new Set(facts.hosts.filter(({ online }) => !online).map(({ name }) => name))
  return facts.hosts
    .filter(({ name }) => !offline.has(name))
    .flatMap(({ name: host }) => {
      const { etcd, api } = surviveWithout(inventory, hostOf, host, offline)
      const { fits } = refitWithout(inventory, facts, hostOf, host)
      const aspects = { etcd: etcd.survives, api: api.survives, ...(fits === null ? {} : { room: fits }) }
      return Object.entries(aspects).map(
        ([aspect, survives]): Sample => ({
          name: 'host_loss_survivable',
          labels: { cluster, host, aspect },
          value: Number(survives),
        }),
      )
    })
}

function placed(inventory: Facts['inventory'], facts: ReturnType<typeof factsFrom>) {
  try {
    return place(inventory, facts).hostOf
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return undefined
    throw thrown
  }
}

function storageSamples(cluster: string, { observed, examined }: Facts): Sample[] {
  const storages = observed.proxmox.storages
    .filter(({ available, total }) => available && total > 0)
    .map(({ host, storage, total, used }) => ({ host, storage, kind: 'data', ratio: used / total }))
  const pools = (examined?.hosts ?? []).flatMap(({ name: host, thinPools }) => {
    if (!thinPools.seen) return []
    return thinPools.value.flatMap(({ volumeGroup, name, size, used, metadataSize, metadataUsed }) => {
      const storage = `${volumeGroup}/${name}`
      return [
        ...(size > 0 ? [{ host, storage, kind: 'data', ratio: used / size }] : []),
        ...(metadataSize > 0 ? [{ host, storage, kind: 'metadata', ratio: metadataUsed / metadataSize }] : []),
      ]
    })
  })
  return [...storages, ...pools].map(({ ratio, ...labels }) => ({
    name: 'storage_used_ratio',
    labels: { cluster, ...labels },
    value: ratio,
  }))
}
