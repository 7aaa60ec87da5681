import { expect, test } from 'vitest'
import { healthyFacts } from '../../../tests/support/facts.js'
import { planOf, specFor } from '../../../tests/support/worlds.js'
import { seen } from '../../cluster/seen.js'
import { memberWithoutMachine } from '../../findings/etcd/member-without-machine.js'
import type { Facts } from '../../findings/facts.js'
import { findFindings } from '../../findings/find-findings.js'
import type { NodeInfo } from '../../kubernetes/port.js'
import type { EtcdMember } from '../../talos/api/port.js'

interface Stray {
  /** Empty until it has started. */
  readonly hostname: '' | 'other-cp'
  readonly isLearner: boolean
  /** Its Talos, or its kubelet, shows that it is alive. */
  readonly alive: 'no' | 'answers' | 'node Ready'
}

const strays: readonly Stray[] = (['', 'other-cp'] as const).flatMap((hostname) =>
  [true, false].flatMap((isLearner) =>
    (['no', 'answers', 'node Ready'] as const).map((alive) => ({ hostname, isLearner, alive })),
  ),
)

function joinedBy({ hostname, isLearner, alive }: Stray, facts: Facts): Facts {
  const { etcd, kubernetes } = facts.observed
  if (!etcd.seen || etcd.value === undefined || !kubernetes.seen || kubernetes.value === undefined) return facts
  const member: EtcdMember = { id: 'stray', hostname, peerUrls: ['https://10.0.9.9:2380'], isLearner }
  const [node] = kubernetes.value.nodes
  const joined: NodeInfo[] =
    alive !== 'node Ready' || node === undefined
      ? []
      : [
          {
            ...node,
            name: 'other-cp',
            systemUuid: 'other',
            machineId: 'x',
            internalAddresses: ['10.0.9.9'],
            ready: true,
          },
        ]
  return {
    ...facts,
    observed: {
      ...facts.observed,
      etcd: seen({
        ...etcd.value,
        members: [...etcd.value.members, member],
        ...(alive === 'answers' ? { owners: { ...etcd.value.owners, stray: hostname } } : {}),
      }),
      kubernetes: seen({ ...kubernetes.value, nodes: [...kubernetes.value.nodes, ...joined] }),
    },
  }
}

test.each(strays)(
  'a member without a machine of ours ($hostname, learner: $isLearner, alive: $alive) is removed only if it is lost',
  async (stray) => {
    const facts = joinedBy(stray, await healthyFacts())
    const { steps } = planOf(specFor(facts.inventory), facts.observed)
    const removed = steps.filter(({ kind }) => kind === 'remove-etcd-member').map(({ machine }) => machine)
    const isLost = stray.hostname !== '' && !stray.isLearner && stray.alive === 'no'
    expect(removed).toEqual(isLost ? ['other-cp'] : [])
    const { findings } = findFindings([memberWithoutMachine], facts)
    expect(findings.filter(({ cure }) => cure?.command === 'ichor up')).toHaveLength(isLost ? 1 : 0)
  },
)
