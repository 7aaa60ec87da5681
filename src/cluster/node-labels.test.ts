import { expect, test } from 'vitest'
import { splitLabels } from './node-labels.js'

test.each([
  ['team', 'allowed'],
  ['example.com/team', 'allowed'],
  ['notkubernetes.io/team', 'allowed'],
  ['kubernetes.io/hostname', 'allowed'],
  ['kubernetes.io/arch', 'allowed'],
  ['kubernetes.io/os', 'allowed'],
  ['node.kubernetes.io/instance-type', 'allowed'],
  ['node.kubernetes.io/anything', 'allowed'],
  ['gpu.node.kubernetes.io/model', 'allowed'],
  ['kubelet.kubernetes.io/anything', 'allowed'],
  ['topology.kubernetes.io/region', 'allowed'],
  ['topology.kubernetes.io/zone', 'allowed'],
  ['failure-domain.beta.kubernetes.io/zone', 'allowed'],
  ['node-role.kubernetes.io/worker', 'restricted'],
  ['node-restriction.kubernetes.io/secure', 'restricted'],
  ['secure.node-restriction.kubernetes.io/secure', 'restricted'],
  ['topology.kubernetes.io/rack', 'restricted'],
  ['kubernetes.io/anything', 'restricted'],
  ['k8s.io/anything', 'restricted'],
  ['team.k8s.io/anything', 'restricted'],
])('%s is %s', (key, verdict) => {
  const { allowed, restricted } = splitLabels({ [key]: 'value' })
  expect({ allowed, restricted }).toEqual({ allowed: {}, restricted: {}, [verdict]: { [key]: 'value' } })
})
