import { groupBy } from '../../cluster/lookup.js'
import { majority } from '../../cluster/quorum.js'
import { defineFinding } from '../define-finding.js'
import type { Facts } from '../facts.js'

/** With a single host there is no better place. */
export const controlPlanesTogether = defineFinding({
  code: 'ICH1002',
  name: 'The loss of one host costs the majority',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ inventory, observed: { machines, proxmox } }) {
    const controlPlanes = machines.filter(({ mark }) => mark.role === 'controlplane')
    if (controlPlanes.length < 3) return
    const spare = controlPlanes.length - majority(controlPlanes.length)
    const byHost = groupBy(controlPlanes, (machine) => machine.host)
    for (const [host, there] of byHost) {
      if (there.length <= spare) continue
      const to = usableHosts(inventory, proxmox).find((name) => (byHost.get(name)?.length ?? 0) < spare)
      yield {
        severity: proxmox.hosts.length > 1 ? 'warns' : 'info',
        subject: { kind: 'host', name: host },
        title: `${there.length} of ${controlPlanes.length} control planes are on host ${host}.`,
        detail: `If ${host} is lost, etcd loses its majority: ${there.map(({ name }) => name).join(', ')}.`,
        cure: {
          text:
            to === undefined
              ? `The hosts that are online are too few to spread them: ${moreHosts(proxmox)}.`
              : `Move one of them: run \`qm migrate ${there[0]?.vmid} ${to} --online --with-local-disks\` as root on ${host}.`,
        },
      }
    }
  },
})

/** Hosts on which a machine may be placed. */
function usableHosts({ settings }: Facts['inventory'], { hosts }: Proxmox): string[] {
  const { target_nodes: wanted } = settings.proxmox
  return hosts
    .filter(({ name, online }) => online && (wanted.length === 0 || wanted.includes(name)))
    .map(({ name }) => name)
}

function moreHosts({ hosts }: Proxmox): string {
  const offline = hosts.filter(({ online }) => !online).map(({ name }) => name)
  return offline.length === 0 ? 'add a host' : `bring ${offline.join(', ')} back, or add a host`
}

type Proxmox = Facts['observed']['proxmox']
