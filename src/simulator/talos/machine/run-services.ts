import { SequenceEvent_Action, SequenceEventSchema } from '../../../wire/machine/events_pb.js'
import { runControlPlane } from './control-plane-life.js'
import { durations } from './durations.js'
import { runEtcd } from './etcd-life.js'
import { runKubelet } from './kubelet-life.js'
import type { TalosMachine } from './machine.js'
import { watchReadiness } from './readiness.js'

/** The second half of the boot: services come up, the secured API opens, and at the end the machine is running. */
export async function runServices(machine: TalosMachine): Promise<void> {
  const { services, facts } = machine
  for (const id of ['machined', 'containerd', 'udevd', 'auditd', 'syslogd', 'dashboard']) services.up(id)
  for (const extension of extensionServices(machine)) services.up(extension)
  await openApi(machine)
  await machine.pause(durations.containerRuntime)
  services.up('cri')
  watchReadiness(machine)
  const isControlPlane = facts?.role === 'controlplane'
  const lives = [runKubelet(machine), ...(isControlPlane ? [runEtcd(machine), runControlPlane(machine)] : [])]
  await Promise.all([...lives, finishBoot(machine, isControlPlane ? ['etcd', 'kubelet'] : ['kubelet'])])
}

async function openApi(machine: TalosMachine): Promise<void> {
  const { services, facts } = machine
  services.set('apid', 'Starting', 'Starting service')
  if (facts?.role === 'controlplane') services.up('trustd')
  await machine.pause(durations.apid)
  await machine.api.open('secured')
  services.up('apid')
  publish(machine)
  if (machine.stage === 'booting') machine.isResuming = false
}

/** Tells the discovery service of this node, where the config asks for it. */
export function publish(machine: TalosMachine): void {
  const { facts, fleet, nodeId, hostname, addresses, asset } = machine
  if (facts === undefined || !facts.discovery) return
  const affiliate = {
    nodeId,
    hostname,
    addresses,
    role: facts.role,
    operatingSystem: `Talos (${asset?.talos ?? ''})`,
    apiPort: facts.apiPort,
  }
  fleet.discovery.publish(facts.clusterId, affiliate, () => machine.services.isHealthy('apid') && !machine.isHung)
}

async function finishBoot(machine: TalosMachine, needed: readonly string[]): Promise<void> {
  while (!needed.every((id) => machine.services.isHealthy(id))) await machine.wait(durations.retry)
  machine.isResuming = false
  if (machine.stage !== 'booting') return
  machine.events.emit(SequenceEventSchema, { sequence: 'boot', action: SequenceEvent_Action.STOP })
  machine.setStage('running')
}

function extensionServices({ asset }: TalosMachine): string[] {
  const names = asset?.extensions.map((name) => name.split('/').at(-1) ?? name) ?? []
  return names.filter((name) => servicesOfExtensions.includes(name)).map((name) => `ext-${name}`)
}

/** Extensions that run something; the others only bring files or drivers. */
const servicesOfExtensions = ['qemu-guest-agent', 'iscsid', 'tailscale', 'cloudflared', 'nut-client']
