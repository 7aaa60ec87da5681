import { isUnmanaged } from '../cluster/unmanaged.js'
import type { EtcdMember } from '../talos/api/port.js'
import type { HealthContext } from './check.js'
import { type Check, healthyUnless } from './check.js'
import { type ClusterFacts, controlPlanesOf, type HealthMachine, nodeOf } from './facts.js'

export function membersToAgree(facts: ClusterFacts): Check {
  return {
    name: 'etcd members to be the same on every control plane',
    run: async (context) => {
      const views = await viewsOf(facts, context)
      const [first] = views
      return healthyUnless(
        views
          .filter((view) => first !== undefined && describe(view.members) !== describe(first.members))
          .map(({ name, members }) => `${name} sees ${describe(members)}, ${first?.name} ${describe(first?.members)}`),
      )
    },
  }
}

export function membersToBeControlPlanes(facts: ClusterFacts): Check {
  return {
    name: 'etcd members to be the control planes',
    run: async (context) => {
      const all = await firstView(facts, context)
      const members = all.filter(({ hostname }) => !isUnmanaged(hostname, facts.unmanaged ?? []))
      const addresses = controlPlanesOf(facts).map(({ address }) => address)
      const foreign = members.filter((member) => !member.peerUrls.some((url) => addresses.includes(hostOf(url))))
      const missing = addresses.length - (members.length - foreign.length)
      return healthyUnless([
        ...foreign.map(({ hostname, id }) => `member ${id} (${hostname}) is no control plane of the inventory`),
        ...(missing > 0 ? [`${missing} of ${addresses.length} control planes are not members yet`] : []),
        ...members.filter(({ isLearner }) => isLearner).map(({ hostname }) => `${hostname} is still learning`),
      ])
    },
  }
}

export function noAlarms(machine: HealthMachine): Check {
  return {
    name: `${machine.name}: no alarm in etcd`,
    run: async (context) => {
      const alarms = await nodeOf(machine, context).etcd.alarms(context.signal)
      const words = { nospace: 'has no space left', corrupt: 'is corrupt' }
      return healthyUnless(alarms.map(({ member, alarm }) => `member ${member} ${words[alarm]}`))
    },
  }
}

/** As the first control plane that responds reports them. */
async function firstView(facts: ClusterFacts, context: HealthContext): Promise<readonly EtcdMember[]> {
  let problem: unknown
  for (const machine of controlPlanesOf(facts)) {
    try {
      return await nodeOf(machine, context).etcd.members({ local: true }, context.signal)
    } catch (thrown) {
      problem ??= thrown
    }
  }
  if (problem === undefined) return []
  throw problem
}

interface View {
  readonly name: string
  readonly members: readonly EtcdMember[]
}

function viewsOf(facts: ClusterFacts, context: HealthContext): Promise<View[]> {
  return Promise.all(
    controlPlanesOf(facts).map(async (machine) => ({
      name: machine.name,
      members: await nodeOf(machine, context).etcd.members({ local: true }, context.signal),
    })),
  )
}

function describe(members: readonly EtcdMember[] = []): string {
  const texts = members.map(({ hostname, id, isLearner }) => `${hostname}/${id}${isLearner ? ' (learner)' : ''}`)
  return texts.sort().join(', ')
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
