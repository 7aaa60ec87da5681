import { SequenceEvent_Action, SequenceEventSchema } from '../../../wire/machine/events_pb.js'
import { growPartitions } from '../disks/partitions.js'
import { findVolumeTrouble, settleVolumes } from '../disks/volumes.js'
import type { Boot } from './boot.js'
import { runControlPlane } from './control-plane-life.js'
import { durations } from './durations.js'
import { runEtcd } from './etcd-life.js'
import { runKubelet } from './kubelet-life.js'
import type { TalosMachine } from './machine.js'
import { watchReadiness } from './readiness.js'

/**
 * The second half of the boot: services start, the authenticated API opens, and the machine runs. Ends with the boot,
 * when everything has cleaned up.
 */
export async function runServices(boot: Boot): Promise<void> {
  const { machine } = boot
  const { services, facts } = machine
  for (const id of ['machined', 'containerd', 'udevd', 'auditd', 'syslogd', 'dashboard']) services.up(id)
  for (const extension of extensionServices(machine)) services.up(extension)
  for (const part of partsOfMachined) services.log(part).write(`${part}: started`)
  if (!machine.isResuming) growPartitions(machine.hardware.disks)
  settleVolumes(machine)
  await openApi(boot)
  await untilVolumesFit(boot)
  await boot.pause(durations.containerRuntime)
  services.up('cri')
  watchReadiness(boot)
  const isControlPlane = facts?.role === 'controlplane'
  const lives = [runKubelet, ...(isControlPlane ? [runEtcd, runControlPlane] : [])]
  await Promise.allSettled([
    ...lives.map((live) => keepAlive(boot, live)),
    finishBoot(boot, isControlPlane ? ['etcd', 'kubelet'] : ['kubelet']),
  ])
}

/** Errors of a service are logged, and it restarts; only the end of the boot ends it. */
async function keepAlive(boot: Boot, live: (boot: Boot) => Promise<never>): Promise<never> {
  for (;;) {
    try {
      await live(boot)
    } catch (error) {
      boot.signal.throwIfAborted()
      boot.machine.log(`[talos] ${live.name} failed and starts again: ${String(error)}`)
      await boot.wait(durations.retry)
    }
  }
}

async function openApi(boot: Boot): Promise<void> {
  const { machine } = boot
  const { services, facts } = machine
  services.set('apid', 'Starting', 'Starting service')
  if (facts?.role === 'controlplane') services.up('trustd')
  await boot.pause(durations.apid)
  await machine.api.open('secured')
  services.up('apid')
  publish(machine)
  if (machine.stage === 'booting') machine.isResuming = false
}

/** The boot sequence mounts them before it starts services, and waits for those that do not come. */
async function untilVolumesFit(boot: Boot): Promise<void> {
  for (let logged = ''; ; await boot.wait(durations.retry)) {
    const trouble = findVolumeTrouble(boot.machine)
    if (trouble === undefined) return
    if (trouble !== logged) boot.machine.log(`[talos] controller failed: ${trouble}`)
    logged = trouble
  }
}

/** Registers this node with the discovery service, if the config enables it. */
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

async function finishBoot(boot: Boot, needed: readonly string[]): Promise<void> {
  const { machine } = boot
  await finishResuming(boot)
  while (!needed.every((id) => machine.services.isHealthy(id))) await boot.wait(durations.retry)
  if (machine.stage !== 'booting') return
  machine.events.emit(SequenceEventSchema, { sequence: 'boot', action: SequenceEvent_Action.STOP })
  machine.setStage('running')
}

/** A saved machine is resumed when everything is up, or after a timeout: other machines may not return. */
async function finishResuming(boot: Boot): Promise<void> {
  const { machine } = boot
  const isUp = () => machine.nodeIsReady && (machine.staticPodsAreUp || machine.facts?.role === 'worker')
  for (let looks = 0; machine.isResuming && looks < 40 && !isUp(); looks++) await boot.wait(durations.retry)
  machine.isResuming = false
}

function extensionServices({ asset }: TalosMachine): string[] {
  const names = asset?.extensions.map((name) => name.split('/').at(-1) ?? name) ?? []
  return names.filter((name) => servicesOfExtensions.includes(name)).map((name) => `ext-${name}`)
}

/** They run inside machined and have separate logs, but are not services. */
const partsOfMachined = ['controller-runtime', 'dns-resolve-cache']

/** Extensions with a service; the others only add files or drivers. */
const servicesOfExtensions = ['qemu-guest-agent', 'iscsid', 'tailscale', 'cloudflared', 'nut-client']
