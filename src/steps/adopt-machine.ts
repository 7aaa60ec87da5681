import { lookupBy } from '../cluster/lookup.js'
import { isInPool } from '../cluster/pool.js'
import type { Desired } from '../desired/desired.js'
import type { PlanRefused } from '../errors.js'
import { notAdopted } from '../findings/refusals/machines.js'
import { withBirth } from '../ownership/born.js'
import { identityOfVm } from '../ownership/identity-of-vm.js'
import { type Mark, readMark } from '../ownership/mark.js'
import type { GuestResource, VmConfig } from '../proxmox/client/port.js'
import { tagOwned } from '../vm/configure-owned.js'
import { freshMark } from '../vm/fresh-mark.js'
import { marked } from '../vm/marked.js'
import { findOwned } from '../vm/owned-vm.js'
import { missingTags } from '../vm/vm-drift.js'
import { findSeen, machineOf } from '../work/wanted-machine.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

const guestByVmid = lookupBy(({ vmid }: GuestResource) => vmid)

/**
 * Takes over a VM that something else made: into the pool of the cluster, then the sealed mark, then the tags. Nothing
 * else of it changes, and the machine is not touched.
 */
export const adoptMachine = defineStep({
  kind: 'adopt-machine',
  args: machineArgs,
  title: ({ machine }) => `take over the VM of ${machine}: pool, mark and tags`,
  changes: true,
  disruptive: false,
  writesVm: true,
  inputs: ({ machine }, { cluster, machines }, observed) => {
    const wanted = machines.find((one) => one.machine.name === machine)
    const vm = findSeen(observed, machine)?.vmid ?? null
    const identity = wanted?.machine.identity ?? null
    return { known: () => ({ pool: cluster.pool, tags: cluster.tags, vm, identity }) }
  },
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    if (owned === undefined) return false
    return missingTags(context.desired.cluster.tags, owned.config.options) === undefined
  },
  async guard({ machine }, context) {
    await readCandidate(machine, context)
    const { identity } = machineOf(context.desired, machine).machine
    const address = findSeen(context.observed, machine)?.address
    if (address === undefined) throw notProven(machine, 'the address of its node is not known')
    const uuid = await context.talos.node({ machine, address }).resources.systemUuid(context.signal)
    if (uuid.toLowerCase() !== identity.uuid) throw notProven(machine, `the node at ${address} has another UUID`)
  },
  async run({ machine }, context) {
    const { guest, config } = await readCandidate(machine, context)
    const { pool } = context.desired.cluster
    context.assertLease()
    if (!isInPool(guest.pool, pool)) await context.proxmox.pools.addVm(pool, guest.vmid, context.signal)
    if (readMark(config.options.description) === undefined) {
      const mark = markOf(machine, { ...config, vmid: guest.vmid }, context.desired)
      const description = marked(config.options.description, mark, context.desired)
      context.assertLease()
      await context.proxmox.machines.setOptions(guest, { set: { description }, digest: config.digest }, context.signal)
    }
    await tagOwned(machine, context)
  },
  effect: ({ machine }, model, desired) => {
    const seen = model.machines.get(machine)
    if (seen === undefined) return
    const { isToAdopt: _, ...others } = seen
    const tags = missingTags(desired.cluster.tags, seen.options)
    const options = { ...seen.options, ...(tags === undefined ? {} : { tags }) }
    model.setMachine({ ...others, options, mark: markOf(machine, seen, desired), pool: desired.cluster.pool })
  },
})

/** As if ichor had made it, under the VMID that it has. */
function markOf(
  machine: string,
  { vmid, options }: { vmid: number } & Pick<VmConfig, 'options'>,
  desired: Desired,
): Mark {
  const fresh = freshMark(machineOf(desired, machine), desired)
  return withBirth({ ...fresh, stage: 'made', vmid, more: { ...fresh.more, adopted: 'yes' } }, { options })
}

interface Candidate {
  readonly guest: GuestResource
  readonly config: VmConfig
}

/** Its VM as it is now: by UUID and MAC, without the mark of another cluster, in no other pool. */
async function readCandidate(machine: string, { proxmox, desired, observed, signal }: StepContext): Promise<Candidate> {
  const { identity } = machineOf(desired, machine).machine
  const { guests } = await proxmox.cluster.resources(signal)
  const guest = guestByVmid(guests, findSeen(observed, machine)?.vmid ?? 0)
  const config = guest === undefined ? undefined : await proxmox.machines.findConfig(guest, signal)
  if (guest === undefined || config === undefined) throw notProven(machine, 'its VM is gone')
  const seen = identityOfVm(config)
  if (seen.uuid !== identity.uuid || seen.mac !== identity.mac)
    throw notProven(machine, `VM ${guest.vmid} has another UUID or MAC`)
  const mark = readMark(config.options.description)?.mark
  if (mark !== undefined && (mark.cluster !== desired.cluster.id || mark.node !== machine))
    throw notProven(machine, `VM ${guest.vmid} carries the mark of ${mark.node}`)
  if (guest.pool !== undefined && !isInPool(guest.pool, desired.cluster.pool))
    throw notProven(machine, `VM ${guest.vmid} is in the pool ${guest.pool}`)
  return { guest, config }
}

function notProven(machine: string, why: string): PlanRefused {
  return notAdopted.refuse(`${machine} is not taken over: ${why}.`, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Run ichor plan to see the current state. The VM was not changed.',
  })
}
