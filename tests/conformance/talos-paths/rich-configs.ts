import { parseDocument } from 'yaml'

/** The generated control plane with sections beside those that every config has. */
export function richControlPlane({ controlplane = '' }: Readonly<Record<string, string>>): string {
  return withSections(controlplane, {
    machine: {
      ...machineSections,
      network: {
        ...machineSections.network,
        interfaces: [anInterface, { interface: 'eth1', dhcp: true, vip: { ip: '10.5.0.50' } }],
      },
    },
    cluster: {
      etcd: { advertisedSubnets: ['10.5.0.0/24'], extraArgs: { 'election-timeout': '5000' } },
      coreDNS: { disabled: false, image: 'registry.k8s.io/coredns/coredns:v1.12.4' },
      externalCloudProvider: { enabled: true, manifests: ['https://example.com/ccm.yaml'] },
      extraManifests: ['https://example.com/a.yaml'],
      extraManifestHeaders: { Token: 'abc' },
      inlineManifests: [{ name: 'one', contents: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: one}\n' }],
      adminKubeconfig: { certLifetime: '24h0m0s' },
      allowSchedulingOnControlPlanes: true,
    },
  })
}

export function richWorker({ worker = '' }: Readonly<Record<string, string>>): string {
  const { controlPlane: _, ...machine } = machineSections
  return withSections(worker, { machine })
}

const anInterface = {
  deviceSelector: { hardwareAddr: 'bc:24:11:*', driver: 'virtio_net' },
  addresses: ['10.5.0.2/24'],
  routes: [{ network: '0.0.0.0/0', gateway: '10.5.0.1', metric: 1024 }],
  mtu: 1500,
  vlans: [{ vlanId: 100, addresses: ['10.6.0.2/24'], mtu: 1400 }],
}

const machineSections = {
  certSANs: ['10.5.0.50', 'talos.example'],
  controlPlane: { controllerManager: { disabled: false }, scheduler: { disabled: false } },
  kubelet: {
    clusterDNS: ['10.96.0.10'],
    extraArgs: { 'rotate-server-certificates': 'true' },
    extraMounts: [{ destination: '/var/mnt', type: 'bind', source: '/var/mnt', options: ['bind', 'rw'] }],
    extraConfig: { maxPods: 200 },
    nodeIP: { validSubnets: ['10.5.0.0/24'] },
  },
  network: {
    nameservers: ['10.5.0.1'],
    interfaces: [anInterface],
    extraHostEntries: [{ ip: '10.5.0.9', aliases: ['registry.example'] }],
    kubespan: { enabled: true, mtu: 1420 },
  },
  install: { disk: '/dev/sda', image: 'factory.talos.dev/nocloud-installer/x:v1.13.9', wipe: false },
  files: [{ content: 'a', permissions: 420, path: '/var/a', op: 'create' }],
  env: { HTTP_PROXY: 'http://10.5.0.9:3128' },
  time: { disabled: false, servers: ['time.cloudflare.com'], bootTimeout: '2m0s' },
  sysctls: { 'vm.swappiness': '1' },
  sysfs: { 'devices.system.cpu.cpu0.cpufreq.scaling_governor': 'performance' },
  registries: { mirrors: { 'docker.io': { endpoints: ['https://mirror.example'], overridePath: true } } },
  udev: { rules: ['SUBSYSTEM=="drm"'] },
  logging: { destinations: [{ endpoint: 'tcp://10.5.0.9:514', format: 'json_lines' }] },
  kernel: { modules: [{ name: 'drbd', parameters: ['usermode_helper=disabled'] }] },
  nodeLabels: { zone: 'a' },
  nodeAnnotations: { note: 'b' },
  nodeTaints: { dedicated: 'db:NoSchedule' },
}

/** What is added wins over what is there, section by section. */
function withSections(config: string, sections: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const [first = '', ...others] = config.split(/^---$/m)
  const document = parseDocument(first)
  for (const [top, values] of Object.entries(sections)) {
    for (const [key, value] of Object.entries(values)) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) document.setIn([top, key], value)
      else for (const [inner, item] of Object.entries(value)) document.setIn([top, key, inner], item)
    }
  }
  return [String(document), ...others].join('---')
}
