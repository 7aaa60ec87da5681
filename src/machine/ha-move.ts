import { UserFacingError } from '../errors.js'
import type { World } from '../world.js'
import { getOwned } from './owned-vm.js'
import { waitUntil } from './wait-until.js'
import type { WorkContext } from './work-context.js'

/** Proxmox HA was asked to move a VM, and did not. */
class HaRefused extends UserFacingError {
  readonly code = 'ha-refused'
  readonly exitCode = 1
}

const minute = 60_000
/** The manager looks at requests every ten seconds. */
const soon = 3 * minute
const moving = new Set(['migrate', 'relocate'])
const stuck = new Set(['error', 'fence', 'recovery'])

/** A VM of Proxmox HA is only asked for: its manager moves it later, or drops the request without a word. */
export async function awaitManager(machine: string, to: string, world: World, context: WorkContext): Promise<void> {
  const look = async () => {
    const { host, vmid } = await getOwned(machine, world, context)
    const { guests } = await world.proxmox.cluster.resources(context.signal)
    return { host, state: guests.find((guest) => guest.vmid === vmid)?.ha ?? 'unknown' }
  }
  await followMove({ machine, to }, look, world, context)
}

/** Whether it has begun, and whether it has given up, by the state that HA reports of the resource. @internal */
export async function followMove(
  { machine, to }: { readonly machine: string; readonly to: string },
  look: () => Promise<{ readonly host: string; readonly state: string }>,
  world: World,
  context: WorkContext,
): Promise<void> {
  let hasBegun = false
  let last = 'unknown'
  const ask = async () => {
    const first = await look()
    // It may have arrived between the two questions of one look: who is not moving any more is looked at once more.
    const { host, state } = hasBegun && first.host !== to && !moving.has(first.state) ? await look() : first
    last = state
    if (host === to) return 'there'
    if (stuck.has(state)) throw refused(machine, to, `reports it in state ${state}`)
    if (hasBegun && !moving.has(state)) throw refused(machine, to, `began to move it and gave up: it is ${state} again`)
    hasBegun ||= moving.has(state)
    return hasBegun ? 'moving' : undefined
  }
  const wait = { where: `Proxmox HA, machine ${machine}`, forWhat: `Proxmox HA to move ${machine} to ${to}`, fix }
  const begin = { ...wait, timeoutMs: soon, intervalMs: 2000, fewestQuestions: 60 }
  const begun = await waitUntil(begin, ask, world, context, isFinal).catch((thrown: unknown) => {
    if (!(thrown instanceof UserFacingError) || thrown.code !== 'timeout') throw thrown
    throw refused(machine, to, `has not begun to: it reports it as ${last}`, thrown)
  })
  if (begun === 'there') return
  const isThere = async () => ((await ask()) === 'there' ? true : undefined)
  await waitUntil({ ...wait, timeoutMs: 30 * minute, intervalMs: 2000 }, isThere, world, context, isFinal)
}

const fix =
  'Look at Datacenter > HA and at the task log of the VM: the manager must be active, no rule may keep the resource where it is, and one in state error must be disabled and enabled again. Then run the command again.'

function refused(machine: string, to: string, what: string, cause?: unknown): HaRefused {
  return new HaRefused(`Proxmox HA was asked to move ${machine} to ${to}, and ${what}.`, {
    where: `Proxmox HA, machine ${machine}`,
    fix,
    ...(cause === undefined ? {} : { cause }),
  })
}

function isFinal(thrown: unknown): boolean {
  return thrown instanceof HaRefused
}
