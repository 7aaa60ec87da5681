import { z } from 'zod'
import { keyNames, nextPhase, type RotationPhase, type RotationState, rotationTargets } from '../cluster/rotation.js'
import type { DesiredRotation } from '../desired/desired.js'
import { newestStart } from '../kubernetes/old-pods.js'
import { kubernetesApi } from '../machine/kubernetes-api.js'
import type { Model } from '../machine/model.js'
import { proveRotation, rotationTasks } from '../machine/rotation-proof.js'
import type { WorkContext } from '../machine/work-context.js'
import type { World } from '../world.js'
import { defineStep } from './step.js'

const what = z.enum(rotationTargets)

/** The durable intent: the new key is kept before any node sees it, and the next run continues from it. */
export const beginRotation = defineStep({
  kind: 'begin-rotation',
  args: z.strictObject({ what }),
  title: ({ what }) => `keep a new key for ${keyNames[what]} in the secrets`,
  changes: true,
  disruptive: false,
  done: async (_args, world, context) => (await world.secrets.find())?.memory.rotation?.run === rotationOf(context).run,
  async run({ what }, world, context) {
    const { run, fresh } = rotationOf(context)
    context.assertLease()
    await world.secrets.beginRotation({ what, run }, fresh)
  },
  effect: ({ what }, model, desired) =>
    setState(model, { what, phase: 'accept', run: desired.cluster.rotating?.run ?? '' }),
})

const titles: Readonly<Record<RotationPhase, string>> = {
  accept: 'every node accepts the new key: sign with it from now on',
  issue: 'every node uses the new key: no longer accept the old one',
  drop: 'no node accepts the old key: remove it from the secrets',
  done: '',
}

const phase = z.enum(['accept', 'issue', 'drop'])

/** After its config has changed: what it serves may take a while to follow, and the next machine waits for that. */
export const awaitRotated = defineStep({
  kind: 'await-rotated',
  args: z.strictObject({ machine: z.string(), what, phase }),
  title: ({ machine, phase }) => `wait for ${machine} to ${rotationTasks[phase]}`,
  changes: false,
  disruptive: false,
  done: async () => false,
  run: ({ machine, what, phase }, world, context) => proveRotation(machine, { what, phase }, world, context),
  effect: () => {},
})

/** The next phase begins when every machine is seen to be in this one. */
export const advanceRotation = defineStep({
  kind: 'advance-rotation',
  args: z.strictObject({ what, from: phase }),
  title: ({ what, from }) => `check ${keyNames[what]}: ${titles[from]}`,
  changes: true,
  disruptive: false,
  done: async ({ from }, world) => (await world.secrets.find())?.memory.rotation?.phase !== from,
  async run({ what, from }, world, context) {
    for (const { machine } of context.desired.machines)
      await proveRotation(machine.name, { what, phase: from }, world, context)
    const pods = what === 'kubernetes-ca' && from === 'accept' ? await notePods(world, context) : {}
    context.assertLease()
    await world.secrets.advanceRotation(from, { run: rotationOf(context).run, ...pods })
  },
  effect: ({ what, from }, model, desired) =>
    setState(model, { what, phase: nextPhase(from), run: desired.cluster.rotating?.run ?? '' }),
})

/** Who runs now has read the old CA; who starts from now on reads both. */
async function notePods(world: World, context: WorkContext): Promise<{ podsUntil: string }> {
  const api = await kubernetesApi(world, context)
  const pods = await api.list({ apiVersion: 'v1', kind: 'Pod' }, undefined, {}, context.signal)
  return { podsUntil: newestStart(pods) }
}

function rotationOf({ desired }: Pick<WorkContext, 'desired'>): DesiredRotation {
  const { rotating } = desired.cluster
  if (rotating === undefined) throw new Error('no rotation was asked for')
  return rotating
}

function setState(model: Model, rotation: RotationState): void {
  model.change(({ secrets }) => ({ secrets: { ...secrets, rotation } }))
}
