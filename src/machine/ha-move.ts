import { UserFacingError } from '../errors.js'
import type { World } from '../world.js'
import { getOwned } from './owned-vm.js'
import { waitUntil } from './wait-until.js'
import type { WorkContext } from './work-context.js'

/** Proxmox HA was asked to move a VM and did not. */
class HaRefused extends UserFacingError {
  readonly code = 'ha-refused'
  readonly exitCode = 1
}

const minute = 60_000
/** The HA manager handles requests every ten seconds. */
const soon = 3 * minute
const moving = new Set(['migrate', 'relocate'])
/** One move that was already running, our own, and a few attempts of the manager. */
const mostMoves = 5
const stuck = new Set(['error', 'fence', 'recovery'])

/** A move of an HA resource is only a request: the HA manager moves the VM later, or drops the request silently. */
export async function awaitManager(machine: string, to: string, world: World, context: WorkContext): Promise<void> {
  const look = async () => {
    const { host, vmid } = await getOwned(machine, world, context)
    const { guests } = await world.proxmox.cluster.resources(context.signal)
    return { host, state: guests.find((guest) => guest.vmid === vmid)?.ha ?? 'unknown' }
  }
  await followMove({ machine, to }, look, world, context)
}

/**
 * Whether the move has started or been abandoned, by the HA state of the resource. The state lags: right after one move
 * it still shows that one, so an ending state may not be ours.
 * @internal
 */
export async function followMove(
  { machine, to }: { readonly machine: string; readonly to: string },
  look: () => Promise<{ readonly host: string; readonly state: string }>,
  world: World,
  context: WorkContext,
): Promise<void> {
  let last = 'unknown'
  const ask = async () => {
    const { host, state } = await look()
    last = state
    if (host === to) return 'there'
    if (stuck.has(state)) throw refused(machine, to, `reports it in state ${state}`)
    return moving.has(state) ? 'moving' : 'still'
  }
  const wait = { where: `Proxmox HA, machine ${machine}`, forWhat: `Proxmox HA to move ${machine} to ${to}`, fix }
  const begin = { ...wait, timeoutMs: soon, intervalMs: 2000, fewestQuestions: 60 }
  const end = { ...wait, timeoutMs: 30 * minute, intervalMs: 2000 }
  const change = (from: string) => async () => {
    const now = await ask()
    return now === from ? undefined : now
  }
  for (let moves = 0; ; moves++) {
    const begun = await waitUntil(begin, change('still'), world, context, isFinal).catch((thrown: unknown) => {
      if (!(thrown instanceof UserFacingError) || thrown.code !== 'timeout') throw thrown
      throw refused(machine, to, moves === 0 ? notBegun(last) : gaveUp(last), thrown)
    })
    if (begun === 'there' || (await waitUntil(end, change('moving'), world, context, isFinal)) === 'there') return
    if (moves > mostMoves) throw refused(machine, to, gaveUp(last))
  }
}

function notBegun(state: string): string {
  return `has not begun to: it reports it as ${state}`
}

function gaveUp(state: string): string {
  return `began to move it and gave up: it is ${state} again`
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
