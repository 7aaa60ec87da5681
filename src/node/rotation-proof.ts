import { isRotatedCa, type RotationPhase, type RotationTarget } from '../cluster/rotation.js'
import { waitUntil } from '../work/wait-until.js'
import { machineOf } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { caProof } from './ca-proof.js'
import { encryptionProof } from './encryption-proof.js'
import { hasWantedConfig } from './talos-config.js'
import { tokenProof } from './token-proof.js'

const minute = 60_000

/** A key, and the phase of its rotation. */
export interface Rotating {
  readonly what: RotationTarget
  readonly phase: RotationPhase
}

/** Returns once this machine is verified to be in this phase: by what it does, not only by its config. */
export async function proveRotation(machine: string, { what, phase }: Rotating, context: WorkContext): Promise<void> {
  const isIn = await proofOf({ what, phase }, context)
  const isAsked = what === 'talos-ca' || machineOf(context.desired, machine).machine.role === 'controlplane'
  await waitUntil(
    {
      forWhat: `${machine} to ${rotationTask(what, phase)}`,
      where: `machine ${machine}`,
      timeoutMs: 5 * minute,
      intervalMs: 1000,
      fix: 'Check ichor status. Existing access keeps working: run the same command again to continue.',
      machine,
    },
    async () => {
      if (!(await hasWantedConfig(machine, context))) return undefined
      return !isAsked || (await isIn(machine)) ? true : undefined
    },
    context,
  )
}

function proofOf({ what, phase }: Rotating, context: WorkContext) {
  if (isRotatedCa(what)) return caProof(what, phase, context)
  return what === 'service-account-key' ? tokenProof(phase, context) : encryptionProof(context)
}

/** What a machine does in a phase. */
export function rotationTask(what: RotationTarget, phase: RotationPhase): string {
  const key = isRotatedCa(what) ? 'CA' : 'key'
  if (phase === 'accept') return `accept the new ${key}`
  return phase === 'issue' || phase === 'renew' ? `use the new ${key}` : `stop accepting the old ${key}`
}
