import { mapLimit } from '../cluster/map-limit.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import type { TalosNode } from '../talos/api/port.js'
import type { World } from '../world.js'
import { ask } from './ask.js'
import { examineControlPlane } from './examine-control-plane.js'
import type { Examined, ExaminedMachine, ExaminedTime } from './examined.js'
import { readClock } from './read-clock.js'
import { diskIn, ephemeralSizeIn, extensionsIn, fieldsOf, problemIn, timeIn, udpIn } from './read-specs.js'

const machinesAtOnce = 48

/** The insides of every machine whose Talos responds. */
export async function examineMachines(
  { machines }: Observed,
  world: World,
  signal: AbortSignal,
): Promise<ExaminedMachine[]> {
  return mapLimit(machines.filter(isSecured), machinesAtOnce, (machine) => examineMachine(machine, world, signal))
}

/** Whether the guest agents respond, as their hosts see it. */
export async function examineAgents(
  { machines }: Observed,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<Examined['agents']> {
  const running = machines.filter(({ status }) => status === 'running')
  return mapLimit(running, machinesAtOnce, async (machine) => ({
    name: machine.name,
    answers: await ask(proxmox.agent.answers(machine, signal), signal),
  }))
}

function isSecured({ talos, address }: ObservedMachine): boolean {
  return talos.reach === 'secured' && address !== undefined
}

async function examineMachine(
  { name, address = '', mark }: ObservedMachine,
  world: World,
  signal: AbortSignal,
): Promise<ExaminedMachine> {
  const node = world.talos.node({ machine: name, address })
  const list = (type: string, namespace = 'runtime') => node.resources.list(type, namespace, signal)
  const [platform, extensions, services, disks, ephemeralSize, time, diagnostics, udp, controlPlane] =
    await Promise.all([
      ask(
        node.version(signal).then((version) => version.platform),
        signal,
      ),
      ask(list('ExtensionStatuses.runtime.talos.dev').then(extensionsIn), signal),
      ask(node.services(signal), signal),
      ask(
        list('Disks.block.talos.dev').then((found) => found.flatMap(diskIn)),
        signal,
      ),
      ask(list('VolumeStatuses.block.talos.dev').then(ephemeralSizeIn), signal),
      ask(examineTime(node, world, signal), signal),
      ask(
        list('Diagnostics.runtime.talos.dev').then((found) => found.map(problemIn)),
        signal,
      ),
      ask(udpIn(node.readFile('/proc/net/snmp', signal)).catch(noneIfNotAllowed), signal),
      mark.role === 'controlplane' ? examineControlPlane(node, signal) : undefined,
    ])
  return {
    name,
    platform,
    extensions,
    services,
    disks,
    ephemeralSize,
    time,
    diagnostics,
    udp,
    ...(controlPlane === undefined ? {} : { controlPlane }),
  }
}

/** `os:reader` sees all but files. */
function noneIfNotAllowed(thrown: unknown): undefined {
  if ((thrown as { grpcCode?: string }).grpcCode === 'PermissionDenied') return undefined
  throw thrown
}

/** Whether its time server responds is a part of the answer. */
async function examineTime(node: TalosNode, { clock }: World, signal: AbortSignal): Promise<ExaminedTime> {
  const asked = readClock(
    clock,
    0,
    () => node.clock(signal),
    ({ server }) => server,
  )
  const [status, compared] = await Promise.all([
    node.resources.find('TimeStatuses.v1alpha1.talos.dev', 'runtime', 'node', signal),
    ask(asked, signal),
  ])
  return {
    ...timeIn(fieldsOf(status?.spec)),
    ...(compared.seen ? { clock: { ...compared.value.answer, reference: compared.value.reading } } : {}),
  }
}
