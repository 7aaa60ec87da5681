import type { ObservedMachine } from '../../observe/observed.js'
import { defineFinding } from '../define-finding.js'
import { becauseLost } from '../etcd/no-majority.js'
import type { Facts } from '../facts.js'

export const nodeNotReady = defineFinding({
  code: 'ICH0603',
  name: 'A node is not Ready',
  severity: 'blocks',
  needs: ['proxmox', 'kubernetes', 'talos'],
  *find(facts) {
    const { inventory, observed } = facts
    const { kubernetes } = observed
    for (const machine of observed.machines) {
      const { name, node, talos, status } = machine
      if (kubernetes.seen && kubernetes.value === undefined) return
      if (talos.reach === 'maintenance' || (talos.reach !== 'secured' && status === 'running')) continue
      if (kubernetes.seen ? node?.ready === true && isUp(machine) : !isUnmet(machine)) continue
      yield {
        ...(hasNetwork(inventory) ? {} : { severity: 'info' }),
        subject: { kind: 'node', name },
        title: titleOf(machine, kubernetes.seen),
        detail:
          talos.reach === 'secured' && talos.unmet.length > 0
            ? `Talos is ${talos.stage}: ${talos.unmet.join('; ')}.`
            : 'Its kubelet does not report.',
        ...(status === 'stopped' ? { because: { code: 'ICH0302', subject: name } as const } : {}),
        ...becauseLost(facts),
        cure:
          kubernetes.seen && node === undefined
            ? { text: 'Restart its kubelet, which joins it again.', command: 'ichor up' }
            : { text: 'Look at its kubelet.', command: `ichor logs ${name} kubelet` },
      }
    }
  },
})

function titleOf({ name, node, talos }: ObservedMachine, isKubernetesSeen: boolean): string {
  if (!isKubernetesSeen) return `Talos does not call ${name} ready.`
  if (node === undefined) return `${name} is not in Kubernetes.`
  return node.ready && talos.reach === 'secured' ? `${name} is ${talos.stage}.` : `${name} is not Ready in Kubernetes.`
}

/** Kubernetes calls a node Ready for a while after its last word. */
function isUp({ talos }: ObservedMachine): boolean {
  return talos.reach !== 'secured' || talos.stage === 'running'
}

function isUnmet({ talos }: ObservedMachine): boolean {
  return talos.reach === 'secured' && !talos.ready && talos.unmet.length > 0
}

/** Without one, no node is ever Ready. */
function hasNetwork({ settings: { kubernetes, addons } }: Facts['inventory']): boolean {
  return kubernetes.cni !== 'none' || addons.cilium !== undefined
}
