import type { Issued } from '../../../src/simulator/talos/pki/issue-certificate.js'
import { aCluster } from '../../../src/simulator/talos/testing/a-cluster.js'
import { aLab, macOf } from '../../../src/simulator/talos/testing/a-lab.js'
import { configVariants } from './config-variants.js'
import { newStyleVariants } from './new-style-variants.js'

/**
 * A lab for Talos's own client: two machines with a config, one in maintenance, and the credentials to all of them.
 * It reports where everything is on one line, and ends when its input is closed.
 */
const schematic = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515'
const running = process.argv[2] ?? 'v1.13.9'
const minor = Number(running.split('.')[1])
const versions = { running, upgraded: `v1.${minor + 1}.1`, patched: `v1.${minor}.10` }
const installer = (version: string) => `factory.talos.dev/nocloud-installer/${schematic}:${version}`
const lab = await aLab({ speed: 60 })
const cluster = aCluster('https://10.5.0.2:6443')
const foreignVm = aCluster()

const machines = {
  cp: { vmid: 2000, address: '10.5.0.2', role: 'controlplane' },
  worker: { vmid: 2001, address: '10.5.0.20', role: 'worker' },
} as const

for (const [name, { vmid, address, role }] of Object.entries(machines)) {
  const config = cluster.config({ name, role, mac: macOf(vmid), cidr: `${address}/24` })
  lab.boot({ name, vmid, medium: { talos: running }, seed: { 'user-data': config } })
}

const fresh = lab.boot({ name: 'fresh', vmid: 2002, medium: { kind: 'iso', platform: 'metal', talos: running } })
const freshAddress = lab.network.lease(macOf(2002), 'vmbr0')?.cidr.split('/')[0] ?? ''
const configs = {
  cp: cluster.config({ name: 'cp', mac: macOf(2000), cidr: '10.5.0.2/24' }),
  changed: cluster.config({
    name: 'cp',
    mac: macOf(2000),
    cidr: '10.5.0.2/24',
    machine: { sysctls: { 'vm.swappiness': '1' } },
  }),
  invalid: cluster.config({ name: 'cp', kubernetes: 'v1.20.0' }),
  unknownKey: cluster.config({ name: 'cp', machine: { instal: {} } }),
  fresh: cluster.config({ name: 'fresh' }),
}

const endpoint = (address: string) => `${lab.network.loopbackOf(address)}:50000`
const talosconfig = ({ crt, key }: Issued, ca = cluster.os.crt) => ({
  ca: base64(ca),
  crt: base64(crt),
  key: base64(key),
})

process.stdout.write(
  `${JSON.stringify({
    endpoints: { cp: endpoint('10.5.0.2'), worker: endpoint('10.5.0.20'), fresh: endpoint(freshAddress) },
    addresses: { cp: '10.5.0.2', worker: '10.5.0.20' },
    freshUUID: fresh.hardware.uuid,
    credentials: {
      admin: talosconfig(cluster.client(['os:admin'])),
      reader: talosconfig(cluster.client(['os:reader'])),
      operator: talosconfig(cluster.client(['os:operator'])),
      etcdBackup: talosconfig(cluster.client(['os:etcd:backup'])),
      expired: talosconfig(cluster.client(['os:admin'], -60_000)),
      serving: talosconfig(cluster.client(['os:admin'], undefined, ['client', 'server'])),
      foreignVm: talosconfig(foreignVm.client(['os:admin'])),
    },
    versions,
    configs,
    variants: { ...configVariants(cluster), ...newStyleVariants(cluster) },
    installers: {
      good: installer(versions.upgraded),
      tooNew: installer(`v1.${minor + 5}.0`),
      legacy: installer(versions.patched),
    },
  })}\n`,
)

process.stdin.resume()
process.stdin.on('end', () => {
  void lab.close().then(() => process.exit(0))
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
