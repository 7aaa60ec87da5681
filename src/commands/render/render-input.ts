import { join } from 'node:path'
import { seedOf } from '../../desired/talos-config.js'
import { talosMachine } from '../../desired/talos-machine.js'
import type { RenderedCluster } from '../../operations/render/rendered-cluster.js'
import type { CompleteSpec } from '../../operations/spec/complete-spec.js'
import type { RenderInput, RenderNode } from '../../render/render-input.js'
import { formatBundle } from '../../secrets/bundle-file.js'
import { clientCertificate } from '../../talos/clientconfig/client-certificate.js'
import { adminKubeconfig, findAdminCertificate } from '../../talos/clientconfig/kubeconfig.js'
import { findContextCertificate, talosconfig as talosconfigText } from '../../talos/clientconfig/talosconfig.js'
import { renderConfig } from '../../talos/config/render.js'
import { roleMachine } from '../../talos/config/role-machine.js'
import { isStale, lifetimeOf, readOptional, renewBeforeDays } from '../access-files.js'
import { proxyUrlOf } from '../proxy-url.js'
import { topologyOf } from './topology.js'

/** All input of the rendered files. Client access files in the folder are kept while they are valid. */
export async function renderInput(
  spec: CompleteSpec,
  cluster: RenderedCluster,
  options: {
    readonly folder: string
    readonly withSecrets: boolean
    readonly seeds: boolean
    readonly classic: boolean
  },
): Promise<RenderInput> {
  const { settings, environment } = spec.inventory
  const [talosconfig, kubeconfig] = await Promise.all([
    talosconfigIn(options.folder, spec, cluster),
    kubeconfigIn(options.folder, spec, cluster),
  ])
  return {
    environment,
    cluster: { name: settings.cluster_name, endpoint: cluster.endpoint },
    nodes: nodesOf(spec, cluster, options.seeds),
    topology: topologyOf(spec.inventory, cluster),
    talosconfig,
    kubeconfig,
    ...(options.withSecrets ? { secrets: formatBundle(spec.secrets.bundle) } : {}),
    ...(options.classic ? { classic: classicConfigs(spec, cluster) } : {}),
  }
}

function nodesOf(
  { inventory }: CompleteSpec,
  { places, configs, addresses }: RenderedCluster,
  hasSeeds: boolean,
): RenderNode[] {
  return inventory.machines.map((machine) => {
    const { name, role, pool, cpu, memory, disk, identity } = machine
    const ip = addresses.get(name)
    const config = configs.get(name) ?? ''
    return {
      name,
      role,
      pool,
      host: places.get(name)?.host ?? '',
      vmid: places.get(name)?.vmid ?? 0,
      cpu,
      memory,
      disk,
      mac: identity.mac,
      ...(ip === undefined ? {} : { ip }),
      config,
      ...(hasSeeds ? { seed: seedOf(machine, config) } : {}),
    }
  })
}

async function talosconfigIn(folder: string, spec: CompleteSpec, { addresses }: RenderedCluster): Promise<string> {
  const { inventory, secrets } = spec
  const name = inventory.settings.cluster_name
  const path = join(folder, 'talosconfig')
  const existing = await readOptional(path)
  const now = new Date()
  const known = existing === undefined ? undefined : findContextCertificate(existing, name, path)
  if (existing !== undefined && !isStale(known, secrets.bundle.certs.os.crt, now, renewBeforeDays(inventory.settings)))
    return existing
  const endpoints = inventory.machines.flatMap((machine) => {
    const address = machine.role === 'controlplane' ? addresses.get(machine.name) : undefined
    return address === undefined ? [] : [address]
  })
  const lifetimeHours = lifetimeOf(inventory.settings)
  const certificate = await clientCertificate(secrets.bundle, { roles: ['os:admin'], lifetimeHours, now })
  return talosconfigText({ name, endpoints, nodes: endpoints.slice(0, 1), certificate })
}

async function kubeconfigIn(folder: string, { inventory, secrets }: CompleteSpec, { endpoint }: RenderedCluster) {
  const clusterName = inventory.settings.cluster_name
  const path = join(folder, 'kubeconfig')
  const existing = await readOptional(path)
  const now = new Date()
  const known = existing === undefined ? undefined : findAdminCertificate(existing, clusterName, path)
  if (existing !== undefined && !isStale(known, secrets.bundle.certs.k8s.crt, now, renewBeforeDays(inventory.settings)))
    return existing
  const lifetimeHours = lifetimeOf(inventory.settings)
  const proxyUrl = proxyUrlOf(inventory, undefined)
  const proxy = proxyUrl === undefined ? {} : { proxyUrl }
  return (await adminKubeconfig(secrets.bundle, { endpoint, ...proxy, clusterName, lifetimeHours, now })).text
}

function classicConfigs(spec: CompleteSpec, { endpoint }: RenderedCluster): NonNullable<RenderInput['classic']> {
  const config = (wanted: string) => {
    const machine = spec.inventory.machines.find(({ role }) => role === wanted)
    return machine && renderConfig(roleMachine(talosMachine(machine, endpoint, spec)), spec.secrets.bundle)
  }
  const worker = config('worker')
  return { controlPlane: config('controlplane') ?? '', ...(worker === undefined ? {} : { worker }) }
}
