import { ifSeen } from '../../cluster/seen.js'
import { machinesAway } from '../../desired/away.js'
import { type SickMember, sickMembers } from '../../etcd/sick-members.js'
import { defineFinding, type Found } from '../define-finding.js'
import type { Facts } from '../facts.js'
import { becauseOffline } from '../proxmox/host-offline.js'
import { strayMembers } from './member-without-machine.js'
import { becauseLost } from './no-majority.js'

export const memberSick = defineFinding({
  code: 'ICH0505',
  name: 'An etcd member is not healthy',
  severity: 'blocks',
  needs: ['proxmox', 'talos', 'etcd'],
  *find(facts) {
    const etcd = ifSeen(facts.observed.etcd)
    const sick = sickMembers(facts.observed)
    const strays = new Set(strayMembers(facts).map((stray) => stray.id))
    for (const one of sick) yield ofSick(one, facts)
    for (const { id, hostname } of etcd?.members ?? []) {
      if (etcd === undefined || etcd.healthy.includes(id)) continue
      const name = etcd.owners[id] ?? (hostname === '' ? id : hostname)
      if (sick.some(({ machine }) => machine === name) || strays.has(id)) continue
      yield {
        subject: { kind: 'member', name },
        title: `The etcd member ${name} is not healthy.`,
        ...reasonFor(name, facts),
      }
    }
  },
})

/** Also one that is no member any more. */
function ofSick({ machine, problem, fix: command }: SickMember, facts: Facts): Found {
  const found = {
    subject: { kind: 'member', name: machine },
    title: `${machine}: ${problem}`,
    detail: 'It does not come back by itself.',
  } as const
  if (command === undefined) return { ...found, ...becauseLost(facts) }
  return { ...found, cure: { text: '', command, ...(command === `ichor replace ${machine}` ? { steps: true } : {}) } }
}

/** The report of its machine; a lost machine, host or majority explains the rest. */
function reasonFor(name: string, facts: Facts): Pick<Found, 'detail' | 'cure' | 'because'> {
  const { inventory, observed } = facts
  const lost = becauseLost(facts)
  const isLost = lost.because !== undefined
  const machine = observed.machines.find((one) => one.name === name)
  const problem = machine?.talos.reach === 'secured' ? machine.talos.etcdProblem : undefined
  const cure = { text: 'If ichor up does not heal it, replace its machine.', command: `ichor replace ${name}` }
  if (problem !== undefined) return { detail: problem, ...(isLost ? {} : { cure }) }
  const host = machinesAway(inventory.machines, observed).find((one) => one.machine.name === name)?.host
  if (host !== undefined) return { detail: 'Its machine cannot be reached.', ...becauseOffline(host) }
  if (machine !== undefined && machine.talos.reach !== 'secured')
    return { detail: 'Its machine does not answer.', ...becauseDown(name, machine.status) }
  if (isLost) return { detail: 'It knows no leader.', ...lost }
  return { detail: 'It does not answer, does not vote, or knows no leader.', cure }
}

function becauseDown(name: string, status: 'running' | 'stopped') {
  return { because: { code: status === 'stopped' ? 'ICH0302' : 'ICH0303', subject: name } as const }
}
