import { findNearest } from '../../nearest.js'
import type { Complaint } from '../complaint.js'
import { valueAt } from '../path.js'
import type { Settings } from '../schema.js'
import type { CheckInput } from './check.js'

/** Addons that conflict with or need each other. */
export function* checkAddons(input: CheckInput): Iterable<Complaint> {
  yield* networkAddons(input)
  yield* loadBalancing(input)
  yield* ingressPorts(input)
  yield* customAddons(input)
  yield* longhornVolume(input)
  yield* gitServer(input)
  yield* controllerEndpoints(input)
}

/** Values of the charts that would send the token of a controller elsewhere. */
function* controllerEndpoints({ settings: { addons } }: CheckInput): Iterable<Complaint> {
  for (const addon of ['proxmox_ccm', 'proxmox_csi']) {
    for (const key of [['config', 'clusters'], ['hostAliases']]) {
      if (valueAt(addons, [addon, 'values', ...key]) === undefined) continue
      yield {
        path: ['addons', addon, 'values', ...key],
        message: `addons.${addon}.values.${key.join('.')} would change where the token of this addon is sent.`,
        fix: 'Remove it: ichor sets the address of Proxmox and the token.',
      }
    }
  }
}

function* networkAddons({ settings: { addons, kubernetes, firewall }, has }: CheckInput): Iterable<Complaint> {
  if (addons.cilium !== undefined && addons.flannel !== undefined) {
    yield {
      path: ['addons', 'flannel'],
      message: 'Cilium and flannel are both enabled, but a cluster has one network.',
      fix: 'Keep one of the two.',
    }
  } else if (addons.cilium !== undefined && kubernetes.cni === 'flannel') {
    yield {
      path: ['kubernetes', 'cni'],
      message: 'Cilium is enabled, but kubernetes.cni is flannel.',
      fix: 'Remove kubernetes.cni.',
    }
  }
  if (addons.network_policies !== undefined && kubernetes.cni === 'flannel' && addons.cilium === undefined) {
    yield {
      path: ['addons', 'network_policies'],
      message: 'Flannel ignores NetworkPolicies: they would protect nothing.',
      fix: 'Add addons.cilium, or remove addons.network_policies.',
    }
  }
  if (firewall.network_policies && kubernetes.cni === 'flannel' && addons.cilium === undefined) {
    yield {
      path: ['firewall', 'network_policies'],
      message: 'Flannel ignores NetworkPolicies: they would protect nothing.',
      fix: 'Add addons.cilium, or remove firewall.network_policies.',
    }
  }
  if (has(['kubernetes', 'kube_proxy']) && !kubernetes.kube_proxy && kubernetes.cni === 'flannel') {
    yield {
      path: ['kubernetes', 'kube_proxy'],
      message: 'Without kube-proxy nothing reaches a service under flannel.',
      fix: 'Remove kubernetes.kube_proxy, or add addons.cilium.',
    }
  }
}

function* loadBalancing({ settings: { addons, network } }: CheckInput): Iterable<Complaint> {
  if (addons.metallb !== undefined && network.load_balancer.length === 0) {
    yield {
      path: ['addons', 'metallb'],
      related: [['network', 'load_balancer']],
      message: 'MetalLB has no addresses to assign.',
      fix: 'Set network.load_balancer, such as 10.0.10.200-10.0.10.220.',
    }
  }
  if (network.load_balancer.length > 0 && addons.metallb === undefined && addons.cilium === undefined) {
    yield {
      path: ['network', 'load_balancer'],
      severity: 'warning',
      related: [['addons']],
      message: 'network.load_balancer has addresses, but no addon assigns them.',
      fix: 'Add addons.metallb or addons.cilium.',
    }
  }
}

function* ingressPorts({ settings: { addons } }: CheckInput): Iterable<Complaint> {
  const taken = portsOf(addons, 'ingress_nginx')
  for (const [index, port] of portsOf(addons, 'traefik').entries()) {
    if (!taken.includes(port)) continue
    yield {
      path: ['addons', 'traefik', 'host_ports', index],
      message: `Traefik and ingress-nginx both listen on port ${port} of the nodes.`,
      fix: 'Give the port to one of them.',
    }
  }
}

function portsOf(addons: Settings['addons'], name: string): unknown[] {
  const ports = valueAt(addons, [name, 'host_ports'])
  return Array.isArray(ports) ? ports : []
}

function* customAddons({ settings: { addons } }: CheckInput): Iterable<Complaint> {
  const catalogue = Object.keys(addons).filter((name) => name !== 'custom' && name !== 'registry')
  const names = new Set(catalogue)
  const known = [...catalogue, ...addons.custom.map(({ name }) => name)]
  for (const [index, { name, after }] of addons.custom.entries()) {
    if (names.has(name))
      yield {
        path: ['addons', 'custom', index, 'name'],
        message: `There is another addon ${name}.`,
        fix: 'Give each addon a unique name.',
      }
    names.add(name)
    for (const [position, other] of after.entries()) {
      if (known.includes(other)) continue
      const near = findNearest(other, known)
      yield {
        path: ['addons', 'custom', index, 'after', position],
        message: `There is no addon ${other} to wait for.`,
        fix: near === undefined ? 'Write the name of an addon of this inventory.' : `Did you mean ${near}?`,
      }
    }
  }
}

function* longhornVolume({ settings: { addons }, drafts }: CheckInput): Iterable<Complaint> {
  const volume = valueAt(addons, ['longhorn', 'volume'])
  if (typeof volume !== 'string') return
  const disks = drafts.flatMap(({ machine }) => machine.disks)
  if (disks.some((disk) => disk.volume === volume)) return
  yield {
    path: ['addons', 'longhorn'],
    severity: 'warning',
    related: [['workers'], ['sizing'], ['worker_pools']],
    message: `No machine has a disk with the volume ${volume}, so Longhorn stores its data on the system disks.`,
    fix: `Give the workers a further disk with volume: ${volume}.`,
  }
}

function* gitServer({ settings: { addons } }: CheckInput): Iterable<Complaint> {
  const repository = valueAt(addons, ['flux', 'repository'])
  const isSsh = typeof repository === 'string' && /^(ssh:\/\/|[^/]+@[^/]+:)/.test(repository)
  if (!isSsh || valueAt(addons, ['flux', 'known_hosts']) !== undefined) return
  yield {
    path: ['addons', 'flux', 'repository'],
    severity: 'warning',
    related: [['addons', 'flux', 'known_hosts']],
    message: 'Flux needs the host keys of the SSH server.',
    fix: 'Set addons.flux.known_hosts with what ssh-keyscan prints for the server.',
  }
}
