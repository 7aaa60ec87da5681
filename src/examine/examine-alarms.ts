import { type Seen, unseen } from '../cluster/seen.js'
import type { Observed } from '../observe/observed.js'
import type { EtcdAlarm } from '../talos/api/port.js'
import type { World } from '../world.js'
import { ask } from './ask.js'

const patienceMs = 5000

/** What etcd has raised; `undefined` if there is no etcd. Any member reports those of all. */
export async function examineAlarms(
  { etcd, machines }: Observed,
  { talos }: Pick<World, 'talos'>,
  signal: AbortSignal,
): Promise<Seen<readonly EtcdAlarm[]> | undefined> {
  if (!etcd.seen || etcd.value === undefined) return undefined
  const { healthy, owners } = etcd.value
  const asked = healthy.map((id) => machines.find(({ name }) => name === owners[id]))
  const member = asked.find((machine) => machine?.address !== undefined)
  if (member === undefined) return unseen('no healthy member responds')
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const raised = await ask(
    talos.node({ machine: member.name, address: member.address ?? '' }).etcd.alarms(patience),
    patience,
  )
  signal.throwIfAborted()
  return raised
}
