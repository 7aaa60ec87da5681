import type { Inventory } from '../../inventory/inventory.js'
import type { UnverifiedVm } from '../../observe/observed.js'
import { defineFinding } from '../define-finding.js'
import type { Severity } from '../finding.js'

/** Machines on silent hosts are findings of those hosts. */
const severities: Readonly<Record<UnverifiedVm['because'], Severity | undefined>> = {
  copy: 'warns',
  'mark-lost': 'blocks',
  'other-cluster': 'blocks',
  'other-pool': 'blocks',
  stub: 'warns',
  foreign: 'info',
  'no-secrets': 'blocks',
  away: undefined,
  unread: undefined,
}

export const unverifiedVm = defineFinding({
  code: 'ICH0305',
  name: 'A VM looks like ours and is not proven',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ inventory, observed: { unverified } }) {
    for (const vm of unverified) {
      const { host, vmid, because, text } = vm
      const severity = severities[because]
      if (severity === undefined) continue
      const cure = cures[because]?.(vm)
      const isProvable = vm.isUnmarked === true && !vm.isOff && addressOf(vm.holds, inventory) !== undefined
      yield {
        severity,
        subject: { kind: 'object', name: `VM ${vmid}` },
        title: text,
        detail: 'ichor never changes a VM that it cannot prove to be its own.',
        ...(because === 'no-secrets'
          ? { because: { code: 'ICH0850', subject: inventory.settings.cluster_name } as const }
          : {}),
        ...(isProvable
          ? { cure: { text: `If its node proves that it is ${vm.holds}, mark it again.`, command: markAgain } }
          : cure === undefined
            ? {}
            : { cure: { text: cure } }),
        where: `Proxmox host ${host}, VM ${vmid}`,
      }
    }
  },
})

const markAgain = 'ichor doctor --fix ICH0305'

/** Without one, its node cannot be asked for a proof. */
function addressOf(machine: string | undefined, { machines }: Inventory): string | undefined {
  return machines.find(({ name }) => name === machine)?.address
}

/** What a person does: nothing of it is ours to do. */
const cures: Partial<Record<UnverifiedVm['because'], (vm: UnverifiedVm) => string>> = {
  copy: ({ vmid }) =>
    `If it is a copy or a restored backup: delete VM ${vmid} in Proxmox, or give it another name, UUID and MAC before it starts.`,
  'mark-lost': ({ vmid, holds = 'its machine' }) =>
    `If VM ${vmid} is ${holds}: put the notes of the VM back as a backup or another machine shows them. If something else made its cluster, such as Terraform: ichor adopt takes it over. Else rename it, or delete it in Proxmox.`,
  'other-cluster': () => 'Two clusters share a name or an identity: choose another cluster_name for one of them.',
  'other-pool': ({ vmid, pool = 'another pool' }) =>
    `Move VM ${vmid} from ${pool} back to the pool of the cluster in Proxmox, or name that pool in proxmox.pool.`,
  stub: ({ vmid }) =>
    `A run was interrupted while it created VM ${vmid}. Unless another run creates it now, delete it in Proxmox; ichor up creates the machine again.`,
  'no-secrets': () => 'Put the secrets file back beside the inventory (git pull).',
}
