import { createHash, X509Certificate } from 'node:crypto'
import { nameOf } from '../access/permissions.js'
import { ApiError, died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import { hostNameserver } from '../vm/cloud-init-text.js'
import { startVm, stopVm } from '../vm/start.js'

const subdirectories =
  'aplinfo apt capabilities ceph certificates config disks dns firewall hardware hosts journal lxc migrateall netstat network qemu query-url-metadata replication report rrd rrddata scan services spiceshell startall status stopall storage subscription suspendall syslog tasks termproxy time version vncshell vzdump wakeonlan sdn'

function time({ datacenter, host }: Call): unknown {
  const now = Math.floor((datacenter.clock.now() + (datacenter.trouble.clockSkews.get(host) ?? 0)) / 1000)
  return { time: now, localtime: now, timezone: 'Etc/UTC' }
}

function hosts({ datacenter }: Call): unknown {
  const lines = [
    '127.0.0.1 localhost',
    ...Object.values(datacenter.state.hosts).map(({ name, address }) => `${address} ${name}.lab.internal ${name}`),
  ]
  const data = `${lines.join('\n')}\n`
  return { data, digest: createHash('sha1').update(data).digest('hex') }
}

function pci({ datacenter, host }: Call): unknown[] {
  const paths = datacenter.state.hosts[host]?.pci ?? []
  return paths.map((id, i) => ({
    id,
    class: '0x030000',
    vendor: '0x10de',
    device: '0x2204',
    iommugroup: 12 + i,
    vendor_name: 'NVIDIA Corporation',
    device_name: 'Simulated GPU',
  }))
}

function machines(): unknown[] {
  return ['10.1', '10.0', '9.2', '9.0', '8.2'].flatMap((version) => [
    { id: `pc-i440fx-${version}`, type: 'i440fx', version },
    { id: `pc-q35-${version}`, type: 'q35', version },
  ])
}

const points = 60

/** There are no measurements yet: times without values. */
function measurements({ datacenter }: Call): unknown[] {
  const last = Math.floor(datacenter.clock.now() / 60_000) * 60
  return Array.from({ length: points }, (_, i) => ({ time: last - (points - i) * 60 }))
}

function certificates({ datacenter: { certificate, ca } }: Call): unknown[] {
  return [describeCertificate('pve-root-ca.pem', ca), describeCertificate('pve-ssl.pem', certificate)]
}

function describeCertificate(filename: string, pem: string): unknown {
  const shown = new X509Certificate(pem)
  const names = (shown.subjectAltName ?? '').split(', ').filter(Boolean)
  return {
    filename,
    fingerprint: shown.fingerprint256,
    subject: `/${shown.subject.replaceAll('\n', '/')}`,
    issuer: `/${shown.issuer.replaceAll('\n', '/')}`,
    notbefore: Math.floor(Date.parse(shown.validFrom) / 1000),
    notafter: Math.floor(Date.parse(shown.validTo) / 1000),
    san: names.map((name) => name.replace(/^(DNS|IP Address):/, '')),
    pem,
    'public-key-type': 'id-ecPublicKey',
    'public-key-bits': 256,
  }
}

function stagedOf({ datacenter, host }: Call): Record<string, string> {
  const state = datacenter.state.hosts[host]
  if (state === undefined) throw died(`no such host '${host}'`)
  return state.description
}

function configOf(call: Call): Record<string, string> {
  return Object.fromEntries(Object.entries(stagedOf(call)).filter(([key]) => !key.startsWith('staged-')))
}

function setConfig(call: Call): null {
  const config = stagedOf(call)
  for (const key of splitList(find(call, 'delete') ?? '')) delete config[key]
  for (const [key, value] of Object.entries(call.parameters))
    if (!['node', 'delete', 'digest'].includes(key)) config[key] = String(value)
  return null
}

function bulk(type: 'startall' | 'stopall') {
  return (call: Call) => {
    const { datacenter, host, identity } = call
    const only = splitList(find(call, 'vms') ?? '').map(Number)
    return datacenter.tasks.start({ host, type, id: '', user: nameOf(identity) }, async (worker) => {
      for (const vm of Object.values(datacenter.state.vms)) {
        const isMeant =
          vm.host === host &&
          (only.length === 0 ? vm.config.onboot === '1' || type === 'stopall' : only.includes(vm.vmid))
        if (!isMeant || vm.running === (type === 'startall') || vm.config.template === '1') continue
        worker.log(`${type === 'startall' ? 'Starting' : 'Stopping'} VM ${vm.vmid}`)
        if (type === 'startall') await startVm(datacenter, host, vm.vmid, worker)
        else await stopVm(datacenter, vm)
      }
    })
  }
}

function joinInfo({ datacenter }: Call): unknown {
  if (Object.keys(datacenter.state.hosts).length === 1)
    throw new ApiError(424, 'node is not in a cluster, no join info available!')
  return {
    nodelist: clusterNodes(datacenter),
    config_digest: datacenter.random.hex(40),
    preferred_node: Object.keys(datacenter.state.hosts)[0],
    totem: {},
  }
}

function clusterNodes({ state }: Datacenter): unknown[] {
  const all = Object.values(state.hosts)
  return all.length === 1
    ? []
    : all.map(({ name, nodeid, address }) => ({
        node: name,
        name,
        nodeid: String(nodeid),
        quorum_votes: '1',
        ring0_addr: address,
      }))
}

export const nodeDetailRoutes: Routes = {
  'GET /nodes/{node}': ({ datacenter }) => [
    ...subdirectories.split(' ').map((name) => ({ name })),
    ...(datacenter.pve === 8 ? [] : [{ name: 'query-oci-repo-tags' }]),
  ],
  'GET /nodes/{node}/time': time,
  'GET /nodes/{node}/dns': () => ({ dns1: hostNameserver }),
  'GET /nodes/{node}/hosts': hosts,
  'GET /nodes/{node}/config': configOf,
  'PUT /nodes/{node}/config': setConfig,
  'GET /nodes/{node}/subscription': () => ({
    status: 'notfound',
    message: 'There is no subscription key',
    serverid: '00000000000000000000000000000000',
    url: 'https://www.proxmox.com/en/proxmox-virtual-environment/pricing',
  }),
  'GET /nodes/{node}/syslog': () => [],
  'GET /nodes/{node}/hardware': () => [{ type: 'pci' }, { type: 'usb' }],
  'GET /nodes/{node}/hardware/pci': pci,
  'GET /nodes/{node}/capabilities': () => [{ name: 'qemu' }],
  'GET /nodes/{node}/capabilities/qemu': () => [{ name: 'cpu' }, { name: 'machines' }],
  'GET /nodes/{node}/capabilities/qemu/machines': machines,
  'GET /nodes/{node}/rrddata': measurements,
  'GET /nodes/{node}/qemu/{vmid}/rrddata': measurements,
  'GET /nodes/{node}/storage/{storage}/rrddata': measurements,
  'GET /nodes/{node}/certificates/info': certificates,
  'GET /nodes/{node}/lxc': () => [],
  'GET /nodes/{node}/lxc/{vmid}/config': (call) => {
    throw died(`Configuration file 'nodes/${call.host}/lxc/${text(call, 'vmid')}.conf' does not exist`)
  },
  'GET /nodes/{node}/aplinfo': () => [],
  'GET /nodes/{node}/disks/list': () => [],
  'GET /nodes/{node}/netstat': () => [],
  'POST /nodes/{node}/startall': bulk('startall'),
  'POST /nodes/{node}/stopall': bulk('stopall'),
  'GET /cluster/config/join': joinInfo,
  'GET /cluster/config/nodes': ({ datacenter }) => clusterNodes(datacenter),
}
