import { building, defineRefusal, every } from './define-refusal.js'

export const missingSecrets = defineRefusal({
  code: 'ICH0850',
  name: 'The secrets of existing machines are missing',
  phase: 'before-plan',
  blocks: [...building, 'shutdown'],
  detail: 'New secrets would be those of another cluster, which could not reach the machines.',
})

export const staleSecrets = defineRefusal({
  code: 'ICH0851',
  name: 'The secrets are older than the cluster',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'They would put the old key back, and what was written with the new one could not be read any more.',
})

export const foreignSecrets = defineRefusal({
  code: 'ICH0852',
  name: 'The cluster runs with other keys than those of the secrets',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'The run would replace the keys of a running cluster.',
})

export const untrustedNodes = defineRefusal({
  code: 'ICH0853',
  name: 'No control plane accepts the secrets',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'All of them have certificates of another CA, so that the secrets are wrong.',
})

export const blindRotation = defineRefusal({
  code: 'ICH0854',
  name: 'A rotation needs every node',
  phase: 'before-plan',
  blocks: ['up'],
  detail:
    'The next phase would lock out a node that is not seen, or the node would lock out the others when it returns.',
})

export const fixedKey = defineRefusal({
  code: 'ICH0855',
  name: 'A key cannot be rotated in this cluster',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'Its config holds only one key, so that old and new ones cannot be valid together.',
})

export const otherRotation = defineRefusal({
  code: 'ICH0856',
  name: 'Another rotation is not finished',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'Two at a time could not be undone.',
})

export const unrecoverableKeys = defineRefusal({
  code: 'ICH0857',
  name: 'Keys cannot be read back from a control plane',
  phase: 'inventory',
  blocks: [],
  detail: 'Only a control plane that shows its config, with the keys on record and no rotation under way, is believed.',
})

export const broadRights = defineRefusal({
  code: 'ICH0858',
  name: 'A user would have more permissions than it needs',
  phase: 'in-plan',
  blocks: every,
  detail: 'Together, two of its permissions reach what belongs to others.',
})

export const secretsOfOther = defineRefusal({
  code: 'ICH0859',
  name: 'The secrets belong to another cluster',
  phase: 'in-plan',
  blocks: every,
  detail: 'This folder is bound to a cluster by its ID.',
})

export const patchedEncryption = defineRefusal({
  code: 'ICH0860',
  name: 'A patch changes how Secrets are encrypted in etcd',
  phase: 'in-plan',
  blocks: every,
  detail: 'ichor rotates only the key that it wrote itself.',
})

export const mayNotAllowContent = defineRefusal({
  code: 'ICH0861',
  name: 'The token may not change what a storage allows',
  phase: 'in-plan',
  blocks: every,
  detail: 'It needs Datastore.Allocate on the storage.',
})

export const tokensOfOldKey = defineRefusal({
  code: 'ICH0862',
  name: 'Secrets hold tokens of the old key',
  phase: 'in-plan',
  blocks: every,
  detail: 'Kubernetes does not replace the tokens in Secrets.',
})

export const unconfirmedReceiver = defineRefusal({
  code: 'ICH0863',
  name: 'It is not confirmed where a secret may be sent',
  phase: 'in-plan',
  blocks: every,
  detail: 'Another inventory must not be able to collect credentials.',
})

export const clusterMayExist = defineRefusal({
  code: 'ICH0864',
  name: 'The cluster may still exist',
  phase: 'in-plan',
  blocks: every,
  detail: 'The secrets record that it was created, and no VM of it was found.',
})
