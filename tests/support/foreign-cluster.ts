import { stringify } from 'yaml'
import type { Connected } from '../../src/connect.js'
import { connectKubernetes } from '../../src/kubernetes/connect.js'
import type { SecretsBundle } from '../../src/secrets/bundle.js'
import { generateBundle } from '../../src/secrets/generate.js'
import type { Topology } from '../../src/simulator/index.js'
import { connectTalos } from '../../src/talos/api/connect.js'
import { adminCertificate, clientCertificate } from '../../src/talos/clientconfig/client-certificate.js'
import { aTopology } from './lab.js'

/** A machine that somebody makes by hand. */
export interface ForeignMachine {
  readonly name: string
  readonly role: 'controlplane' | 'worker'
  readonly vmid: number
  readonly host: string
  readonly mac: string
  readonly address: string
  readonly uuid: string
  /** Of the VM, in place of or beside the usual ones. */
  readonly options?: Readonly<Record<string, string | number | undefined>>
  /** Changes what talosctl would generate. */
  patch?(config: GeneratedConfig): void
}

export interface GeneratedConfig {
  readonly machine: Record<string, unknown>
  readonly cluster: Record<string, unknown>
  /** Documents after the first one. */
  readonly others: Record<string, unknown>[]
}

const foreignTalos = 'v1.13.9'
const kubernetes = 'v1.36.3'
const endpoint = 'https://10.0.10.71:6443'
const MiB = 1024 ** 2

export function aForeignMachine(
  number: number,
  role: ForeignMachine['role'],
  more: Partial<ForeignMachine> = {},
): ForeignMachine {
  const digits = String(number).padStart(2, '0')
  return {
    name: `talos-${role === 'worker' ? 'w' : 'c'}${number}`,
    role,
    vmid: 700 + number,
    host: `pve${((number - 1) % 3) + 1}`,
    mac: `BC:24:11:00:00:${digits}`,
    address: `10.0.10.${70 + number}`,
    uuid: `5b1e9d3a-0000-4000-8000-0000000000${digits}`,
    ...more,
  }
}

/** Three hosts, leases for these machines, and the ISO that everybody downloads. */
export function foreignTopology(machines: readonly ForeignMachine[]): Topology {
  return aTopology({
    hosts: 3,
    dhcp: [
      {
        bridge: 'vmbr0',
        cidr: '10.0.10.0/24',
        gateway: '10.0.10.254',
        dns: ['10.0.10.254'],
        reservations: machines.map(({ mac, address, name }) => ({ mac, address, hostname: name })),
        poolOffset: 150,
      },
    ],
    files: [
      {
        volid: 'local:iso/metal-amd64.iso',
        medium: {
          kind: 'iso',
          talos: foreignTalos,
          schematic: '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba',
          platform: 'metal',
          arch: 'amd64',
          extensions: [],
          kernelArgs: [],
          secureBoot: false,
          nominalSize: 100 * MiB,
          virtualSize: 100 * MiB,
        },
      },
    ],
  })
}

export interface ForeignCluster {
  readonly bundle: SecretsBundle
  /** What runs, by machine. */
  readonly configs: ReadonlyMap<string, string>
}

/** What everybody does by hand: VMs in the web interface, `talosctl gen config`, `apply-config --insecure`, `bootstrap`. */
export async function makeForeignCluster(
  { world }: Connected,
  machines: readonly ForeignMachine[],
  signal: AbortSignal,
): Promise<ForeignCluster> {
  const bundle = await generateBundle('v1.13')
  const { proxmox, clock, dialer } = world
  await Promise.all(
    machines.map(async (machine) => {
      const { host, vmid } = machine
      await proxmox.tasks.wait(await proxmox.machines.create({ host, vmid }, vmOptions(machine), signal), signal)
      await proxmox.tasks.wait(await proxmox.machines.start({ host, vmid }, signal), signal)
      const node = world.talos.maintenance({ machine: machine.name, address: machine.address })
      await until(async () => (await node.findIdentity(signal)) !== undefined, clock, signal)
      const { uuid, mac } = machine
      await node.applyConfiguration(generatedConfig(machine, bundle), { uuid, mac }, signal)
    }),
  )
  const now = new Date(clock.now())
  const admin = await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours: 24, now })
  const talos = connectTalos({ dialer, clock, credentials: async () => admin })
  const [first] = machines
  if (first === undefined) throw new Error('a cluster has a machine')
  const node = talos.node({ machine: first.name, address: first.address })
  const recover = { recoverEtcd: false, skipHashCheck: false }
  await until(async () => (await node.bootstrap(recover, signal)) !== undefined, clock, signal)
  const configs = new Map<string, string>()
  for (const { name, address } of machines) {
    const { resources } = talos.node({ machine: name, address })
    // Without a CNI it never becomes ready.
    await until(async () => (await resources.machineStatus(signal)).stage === 'running', clock, signal)
    configs.set(name, await resources.machineConfig(signal))
  }
  const masters = await adminCertificate(bundle, { lifetimeHours: 24, now })
  const api = connectKubernetes({ dialer, clock, credentials: async () => masters })
  const nodes = () => api.at([{ host: first.address, port: 6443 }]).nodes(signal)
  const isComplete = async () => (await nodes()).length === machines.length
  await until(isComplete, clock, signal)
  if (!hasNoNetwork(machines, bundle))
    await until(async () => (await nodes()).every(({ ready }) => ready), clock, signal)
  await Promise.all([talos.close(), api.close()])
  return { bundle, configs }
}

function hasNoNetwork(machines: readonly ForeignMachine[], bundle: SecretsBundle): boolean {
  return machines.some((machine) => generatedConfig(machine, bundle).includes('name: none'))
}

/** As talosctl writes it: with a context and its endpoints. */
export async function foreignTalosconfig(bundle: SecretsBundle, machines: readonly ForeignMachine[]): Promise<string> {
  const { ca, crt, key } = await clientCertificate(bundle, {
    roles: ['os:admin'],
    lifetimeHours: 24,
    now: new Date(),
  })
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const endpoints = machines.filter(({ role }) => role === 'controlplane').map(({ address }) => address)
  const home = { endpoints, ca: encoded(ca), crt: encoded(crt), key: encoded(key) }
  return stringify({ context: 'homelab', contexts: { homelab: home } })
}

function vmOptions({ name, mac, uuid, options }: ForeignMachine) {
  return {
    name,
    cores: 2,
    memory: 4096,
    cpu: 'host',
    scsihw: 'virtio-scsi-single',
    scsi0: 'local-lvm:32,iothread=1,discard=on',
    ide2: 'local:iso/metal-amd64.iso,media=cdrom',
    net0: `virtio=${mac},bridge=vmbr0,firewall=1`,
    boot: 'order=scsi0;ide2;net0',
    smbios1: `uuid=${uuid}`,
    onboot: 1,
    description: 'made by hand',
    tags: 'talos',
    ...options,
  }
}

/** What `talosctl gen config homelab https://10.0.10.71:6443` of 1.13 writes for this role. */
function generatedConfig({ role, patch }: ForeignMachine, bundle: SecretsBundle): string {
  const { certs, cluster, secrets, trustdinfo } = bundle
  const isControlPlane = role === 'controlplane'
  const authority = ({ crt, key }: { crt: string; key: string }) => ({ crt, key: isControlPlane ? key : '' })
  const config: GeneratedConfig = {
    machine: {
      type: role,
      token: trustdinfo.token,
      ca: authority(certs.os),
      certSANs: [],
      kubelet: {
        image: `ghcr.io/siderolabs/kubelet:${kubernetes}`,
        defaultRuntimeSeccompProfileEnabled: true,
        disableManifestsDirectory: true,
      },
      install: { disk: '/dev/sda', image: `ghcr.io/siderolabs/installer:${foreignTalos}`, wipe: false },
      features: {
        diskQuotaSupport: true,
        kubePrism: { enabled: true, port: 7445 },
        hostDNS: { enabled: true, forwardKubeDNSToHost: true },
      },
      ...(isControlPlane ? { nodeLabels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } } : {}),
    },
    cluster: {
      id: cluster.id,
      secret: cluster.secret,
      controlPlane: { endpoint },
      clusterName: 'homelab',
      network: { dnsDomain: 'cluster.local', podSubnets: ['10.244.0.0/16'], serviceSubnets: ['10.96.0.0/12'] },
      token: secrets.bootstraptoken,
      ca: authority(certs.k8s),
      discovery: { enabled: true, registries: { kubernetes: { disabled: true }, service: {} } },
      ...(isControlPlane ? controlPlaneParts(bundle) : {}),
    },
    others: [{ apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'stable' }],
  }
  patch?.(config)
  const { machine, cluster: parts, others } = config
  return [{ version: 'v1alpha1', debug: false, persist: true, machine, cluster: parts }, ...others]
    .map((document) => stringify(document, { aliasDuplicateObjects: false }))
    .join('---\n')
}

function controlPlaneParts({ certs, secrets }: SecretsBundle) {
  const component = (name: string) => ({ image: `registry.k8s.io/${name}:${kubernetes}` })
  return {
    secretboxEncryptionSecret: secrets.secretboxencryptionsecret,
    aggregatorCA: certs.k8saggregator,
    serviceAccount: certs.k8sserviceaccount,
    apiServer: {
      ...component('kube-apiserver'),
      certSANs: ['10.0.10.71'],
      disablePodSecurityPolicy: true,
      admissionControl: [
        {
          name: 'PodSecurity',
          configuration: {
            apiVersion: 'pod-security.admission.config.k8s.io/v1alpha1',
            kind: 'PodSecurityConfiguration',
            defaults: {
              enforce: 'baseline',
              'enforce-version': 'latest',
              audit: 'restricted',
              'audit-version': 'latest',
              warn: 'restricted',
              'warn-version': 'latest',
            },
            exemptions: { usernames: [], runtimeClasses: [], namespaces: ['kube-system'] },
          },
        },
      ],
      auditPolicy: { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] },
    },
    controllerManager: component('kube-controller-manager'),
    proxy: component('kube-proxy'),
    scheduler: component('kube-scheduler'),
    etcd: { ca: certs.etcd },
    extraManifests: [],
    inlineManifests: [],
  }
}

const attempts = 400

async function until(
  isDone: () => Promise<boolean>,
  clock: Connected['world']['clock'],
  signal: AbortSignal,
): Promise<void> {
  let last: unknown
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      if (await isDone()) return
    } catch (thrown) {
      last = thrown
    }
    await clock.sleep(2000, signal)
  }
  throw new Error(`it did not happen in time`, { cause: last })
}
