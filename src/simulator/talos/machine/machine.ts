import {
  MachineStatusEvent_MachineStage,
  MachineStatusEventSchema,
  ServiceStateEvent_Action,
  ServiceStateEventSchema,
} from '../../../wire/machine/events_pb.js'
import type { Hardware } from '../../core/guest.js'
import { type ConfigFacts, factsOf } from '../config/config-facts.js'
import type { MachineConfig } from '../config/documents.js'
import { type NetworkFacts, networkFactsOf } from '../config/network-facts.js'
import { minorOf } from '../config/talos-version.js'
import type { BootAsset, InstalledSystem } from '../disks/system-disk.js'
import type { Fleet } from '../fleet.js'
import type { Seed } from '../media/cidata.js'
import type { Issued } from '../pki/issue-certificate.js'
import { Boot } from './boot.js'
import { EventLog } from './event-log.js'
import type { Link } from './links.js'
import { type ServiceEntry, ServiceTable } from './services.js'
import { TextLog } from './text-log.js'

export type Stage =
  | 'booting'
  | 'installing'
  | 'maintenance'
  | 'running'
  | 'rebooting'
  | 'shutting down'
  | 'resetting'
  | 'upgrading'

/** The API of one machine: opened and closed by its boot, refreshed when its config or addresses change. */
export interface NodeApi {
  readonly mode: 'closed' | 'maintenance' | 'secured'
  open(mode: 'maintenance' | 'secured'): Promise<void>
  refresh(): Promise<void>
  /** A graceful close lets running calls finish for a moment. */
  close(how: 'gently' | 'at-once'): Promise<void>
}

/** Why it is not ready. */
export interface UnmetCondition {
  readonly name: string
  readonly reason: string
}

/** Everything that a machine has in memory while it is powered on; persistent state is on its disks. */
export class TalosMachine {
  readonly fleet: Fleet
  readonly hardware: Hardware
  readonly console = new TextLog()
  readonly events: EventLog
  readonly services: ServiceTable
  readonly api: NodeApi
  /** The current boot, or the last one. */
  boot: Boot
  stage: Stage = 'booting'
  bootId = ''
  bootedAt = 0
  asset: BootAsset | undefined
  system: InstalledSystem | undefined
  seed: Seed | undefined
  #links: readonly Link[] = []
  #addresses: readonly string[] = []
  hostname = ''
  nodeId = ''
  /** Certificate and key of its API, kept while they are valid. */
  certificate: (Issued & { readonly issuer: string; readonly covers: string; readonly expiresAt: number }) | undefined
  /** VIPs that this machine holds now. */
  readonly vips = new Set<string>()
  /** Its config is invalid: it stays in its boot. */
  configIsBroken = false
  /** Images that were pulled before there was a disk for them. */
  imagesInMemory: string[] = []
  nodeIsReady = false
  /** Number of requested kubelet restarts. */
  kubeletRestarts = 0
  staticPodsAreUp = false
  /** Version of the secrets that its static pods were last started with. */
  servedSecrets = ''
  unmet: readonly UnmetCondition[] = []
  isHung = false
  clockSkewMs = 0
  certificateIsExpired = false
  etcdDelayMs = 0
  isAgentSilent = false
  /** Datagrams with a wrong checksum that reached it. */
  corruptDatagrams = 0
  /** The loader skips the newest slot at the next boot. */
  distrustsNewSlot = false
  /** The active config is under test: what it reverts to, and when. */
  trial: { readonly before: MachineConfig; readonly at: number; cancel(): void } | undefined
  /** The active config of a saved machine, if its disk has another one. */
  resumedConfig: MachineConfig | undefined
  /** Called when the machine is powered off. */
  onGone: () => void = () => {}
  /** While a saved machine is resumed, nothing takes time and nothing is reported. */
  isResuming = false
  #config: { config: MachineConfig; network: NetworkFacts; facts: ConfigFacts | undefined } | undefined
  readonly #watchers = new Set<() => void>()
  #isNotifying = false

  constructor(fleet: Fleet, hardware: Hardware, makeApi: (machine: TalosMachine) => NodeApi) {
    this.fleet = fleet
    this.hardware = hardware
    this.boot = new Boot(this)
    this.events = new EventLog(() => fleet.clock.now())
    this.services = new ServiceTable(
      () => fleet.clock.now(),
      (entry) => this.#serviceChanged(entry),
    )
    this.api = makeApi(this)
  }

  /** Ends everything and starts over afterwards: power, reset button, reboot. */
  startBoot(run: (boot: Boot) => Promise<void>): void {
    const before = this.boot.end()
    const boot = new Boot(this)
    this.boot = boot
    boot.finished = before
      .then(() => run(boot))
      .catch((error: unknown) => {
        if (!boot.signal.aborted) this.log(`[talos] boot sequence failed: ${String(error)}`)
      })
  }

  /** Cuts the power. */
  async shutDownNow(): Promise<void> {
    await this.boot.end()
    this.services.clear()
    this.vips.clear()
    this.fleet.guarded.delete(this)
    await this.api.close('at-once')
  }

  /** The machine powers off, and informs the hypervisor. */
  async switchOff(): Promise<void> {
    await this.shutDownNow()
    this.onGone()
    this.hardware.onPowerOff()
  }

  get minor(): number {
    return minorOf(this.asset?.talos ?? 'v1.0')
  }

  /** The active config, complete or partial. */
  get config(): MachineConfig | undefined {
    return this.#config?.config
  }

  get networkFacts(): NetworkFacts | undefined {
    return this.#config?.network
  }

  /** Known once the config is complete. */
  get facts(): ConfigFacts | undefined {
    return this.#config?.facts
  }

  setConfig(config: MachineConfig | undefined): void {
    this.#config =
      config === undefined
        ? undefined
        : {
            config,
            network: networkFactsOf(config),
            facts: config.v1alpha1 === undefined ? undefined : factsOf(config),
          }
    this.#guard()
    this.changed()
  }

  /** Nodes without rules are skipped when packets are checked: in a large lab most have none. */
  #guard(): void {
    const { guarded, network } = this.fleet
    const ingress = this.networkFacts?.ingress
    const isGuarded = ingress !== undefined && (ingress.defaultAction === 'block' || ingress.rules.length > 0)
    if (!isGuarded && !guarded.has(this)) return
    if (isGuarded) guarded.add(this)
    else guarded.delete(this)
    network.filters.changed()
  }

  get links(): readonly Link[] {
    return this.#links
  }

  set links(links: readonly Link[]) {
    this.#links = links
    this.#addresses = links.flatMap(({ addresses }) => addresses.map((cidr) => cidr.split('/')[0] ?? cidr))
  }

  /** Lab addresses without prefix, VIPs excluded. */
  get addresses(): readonly string[] {
    return this.#addresses
  }

  setStage(stage: Stage): void {
    if (this.isResuming) return
    this.stage = stage
    this.record('machine.stage', { stage, talos: this.asset?.talos })
    this.log(`[talos] machine is ${stage}`)
    this.#emitStatus()
  }

  setUnmet(unmet: readonly UnmetCondition[]): void {
    if (JSON.stringify(unmet) === JSON.stringify(this.unmet)) return
    this.unmet = unmet
    this.#emitStatus()
  }

  get isReady(): boolean {
    return (this.stage === 'running' || this.stage === 'booting') && this.unmet.length === 0
  }

  log(line: string): void {
    const time = new Date(this.fleet.clock.now()).toISOString().replace(/\.?0*Z$/, 'Z')
    const [facility, priority] = line.startsWith('[talos]') ? ['user', 'warning'] : ['kern', 'info']
    this.console.write(`${facility}: ${priority.padStart(7)}: [${time}]: ${line}`)
  }

  record(event: string, detail: Readonly<Record<string, unknown>> = {}, mutating = false): void {
    const { uuid, vmid } = this.hardware
    const subject = this.hostname === '' ? this.hardware.name : this.hostname
    this.fleet.ledger.record({
      at: this.fleet.clock.now(),
      surface: 'talos',
      event,
      subject,
      mutating,
      detail: { uuid, vmid, ...detail },
    })
  }

  /** Called at most once per turn of the event loop, after any change of this machine. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  changed(): void {
    if (this.#isNotifying || this.#watchers.size === 0) return
    this.#isNotifying = true
    setImmediate(() => {
      this.#isNotifying = false
      for (const watcher of [...this.#watchers]) watcher()
    })
  }

  #emitStatus(): void {
    const stage = stages[this.stage]
    this.events.emit(MachineStatusEventSchema, {
      stage,
      status: { ready: this.isReady, unmetConditions: this.unmet.map((condition) => ({ ...condition })) },
    })
    this.changed()
  }

  #serviceChanged({ id, state, message, healthy }: ServiceEntry): void {
    if (!this.isResuming) {
      const action = ServiceStateEvent_Action[state.toUpperCase() as keyof typeof ServiceStateEvent_Action]
      const health = { unknown: healthy === undefined, healthy: healthy === true, lastMessage: message }
      this.events.emit(ServiceStateEventSchema, { service: id, action, message, health })
      this.log(`[talos] service[${id}](${state}): ${message}`)
    }
    this.changed()
  }
}

const stages: Readonly<Record<Stage, MachineStatusEvent_MachineStage>> = {
  booting: MachineStatusEvent_MachineStage.BOOTING,
  installing: MachineStatusEvent_MachineStage.INSTALLING,
  maintenance: MachineStatusEvent_MachineStage.MAINTENANCE,
  running: MachineStatusEvent_MachineStage.RUNNING,
  rebooting: MachineStatusEvent_MachineStage.REBOOTING,
  'shutting down': MachineStatusEvent_MachineStage.SHUTTING_DOWN,
  resetting: MachineStatusEvent_MachineStage.RESETTING,
  upgrading: MachineStatusEvent_MachineStage.UPGRADING,
}
