import { z } from 'zod'
import { keyNames } from '../cluster/cluster-key.js'
import { findEtcdEncryption, findSecretboxKeys } from '../cluster/etcd-encryption.js'
import {
  isRotatedCa,
  lastGeneration,
  nextPhase,
  type RotationAuthor,
  type RotationNotes,
  type RotationState,
  type RotationTarget,
  rotationTargets,
} from '../cluster/rotation.js'
import type { RequestedRotation } from '../desired/run-intent.js'
import { patchedEncryption } from '../findings/refusals/secrets.js'
import { newestStart } from '../kubernetes/old-pods.js'
import { newestVersion } from '../kubernetes/old-secrets.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { proveRotation, rotationTask } from '../node/rotation-proof.js'
import { clusterTime } from '../node/token-proof.js'
import { operatorName } from '../ownership/holder.js'
import { findKeyRecord } from '../vm/key-record.js'
import type { Model } from '../work/model.js'
import type { WorkContext } from '../work/work-context.js'
import { defineStep } from './step.js'

const what = z.enum(rotationTargets)

/** The durable intent: the new key is stored before any node gets it, and the next run continues from there. */
export const beginRotation = defineStep({
  kind: 'begin-rotation',
  args: z.strictObject({ what }),
  title: ({ what }) => `keep a new key for ${keyNames[what]} in the secrets`,
  changes: true,
  disruptive: false,
  done: async (_args, context) => (await context.secrets.find())?.memory.rotation?.run === rotationOf(context).run,
  guard: ({ what }, context) => refusePatchedKey(what, context),
  async run({ what }, context) {
    const { fresh } = rotationOf(context)
    const after = lastGeneration(findKeyRecord(context.observed)?.rotated ?? {})
    context.assertLease()
    await context.secrets.beginRotation({ what, after, ...authorOf(context) }, fresh)
  },
  effect: ({ what }, model, desired) =>
    setState(model, { what, phase: 'accept', run: desired.cluster.intent.rotating?.run ?? '' }),
})

const phase = z.enum(['accept', 'issue', 'renew', 'drop'])

const titles: Readonly<Record<z.infer<typeof phase>, string>> = {
  accept: 'every node accepts the new key: use it from now on',
  issue: 'every node uses the new key: no longer accept the old one',
  renew: 'nothing is left of the old key: no longer accept it',
  drop: 'no node accepts the old key: remove it from the secrets',
}

const whatIsRenewed: Readonly<Partial<Record<RotationTarget, string>>> = {
  'service-account-key': 'every node uses the new key: have the tokens of the old one renewed',
  'etcd-encryption-key': 'every node uses the new key: have the Secrets written again',
}

/** After the config has changed, served certificates may follow later; the next machine waits for that. */
export const awaitRotated = defineStep({
  kind: 'await-rotated',
  args: z.strictObject({ machine: z.string(), what, phase }),
  title: ({ machine, what, phase }) => `wait for ${machine} to ${rotationTask(what, phase)}`,
  changes: false,
  disruptive: false,
  done: async () => false,
  run: ({ machine, what, phase }, context) => proveRotation(machine, { what, phase }, context),
  effect: () => {},
})

/** The next phase starts when every machine is verified to be in this one. */
export const advanceRotation = defineStep({
  kind: 'advance-rotation',
  args: z.strictObject({ what, from: phase }),
  title: ({ what, from }) =>
    `check ${keyNames[what]}: ${(from === 'issue' ? whatIsRenewed[what] : undefined) ?? titles[from]}`,
  changes: true,
  disruptive: false,
  done: async ({ from }, { secrets }) => (await secrets.find())?.memory.rotation?.phase !== from,
  async run({ what, from }, context) {
    for (const { machine } of context.desired.machines)
      await proveRotation(machine.name, { what, phase: from }, context)
    const notes = await notesOn(what, from, context)
    context.assertLease()
    await context.secrets.advanceRotation(from, { ...authorOf(context), ...notes })
  },
  effect: ({ what, from }, model, desired) =>
    setState(model, { what, phase: nextPhase(what, from), run: desired.cluster.intent.rotating?.run ?? '' }),
})

/** Existing objects were made with the old key or read the old CA; new ones are not. */
async function notesOn(
  what: RotationTarget,
  from: z.infer<typeof phase>,
  context: WorkContext,
): Promise<RotationNotes> {
  const list = async (kind: string) =>
    (await kubernetesApi(context)).list({ apiVersion: 'v1', kind }, undefined, {}, context.signal)
  if (what === 'kubernetes-ca' && from === 'accept') return { podsUntil: newestStart(await list('Pod')) }
  if (isRotatedCa(what) || from !== 'issue') return {}
  if (what === 'etcd-encryption-key') return { secretsUntil: newestVersion(await list('Secret')) }
  return {
    podsUntil: newestStart(await list('Pod')),
    issuedAt: new Date(await clusterTime(context)).toISOString(),
  }
}

/** A patch that sets the key would keep the old one while the secrets change. */
async function refusePatchedKey(what: RotationTarget, { secrets, desired }: WorkContext): Promise<void> {
  const file = await secrets.find()
  if (what !== 'etcd-encryption-key' || file === undefined) return
  const own = [file.bundle.secrets.secretboxencryptionsecret, ...(file.bundle.accepted?.secretbox ?? [])].join()
  const patched = desired.machines.find(
    ({ machine, talos }) =>
      machine.role === 'controlplane' && findSecretboxKeys(findEtcdEncryption(talos?.config ?? ''))?.join() !== own,
  )
  if (patched === undefined) return
  throw patchedEncryption.refuse(`A patch changes how ${patched.machine.name} encrypts what is in etcd.`, {
    subject: { kind: 'machine', name: patched.machine.name },
    where: `KubeEtcdEncryptionConfig in the config of ${patched.machine.name}`,
    fix: 'ichor rotates only the key that it wrote itself, for Secrets alone. Remove the patch, or rotate the key by hand.',
  })
}

function authorOf(context: WorkContext): RotationAuthor {
  const at = new Date(context.clock.now()).toISOString()
  return { run: rotationOf(context).run, by: operatorName(), at }
}

function rotationOf({ desired }: Pick<WorkContext, 'desired'>): RequestedRotation {
  const { rotating } = desired.cluster.intent
  if (rotating === undefined) throw new Error('no rotation was asked for')
  return rotating
}

function setState(model: Model, rotation: RotationState): void {
  model.change(({ secrets }) => ({ secrets: { ...secrets, rotation } }))
}
