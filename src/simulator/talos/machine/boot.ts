import { setTimeout as sleep } from 'node:timers/promises'
import type { TalosMachine } from './machine.js'

/** In real time, whatever the lab's speed. */
const momentMs = 5
const cleanUpMs = 1000

/**
 * One boot of a machine, until power is lost or the next one begins. Everything in it waits through it, and so ends
 * with it.
 */
export class Boot {
  readonly machine: TalosMachine
  /** Settles when everything in it has cleaned up. */
  finished: Promise<void> = Promise.resolve()
  readonly #controller = new AbortController()

  constructor(machine: TalosMachine) {
    this.machine = machine
  }

  /** Aborted when this boot is over, however it ended. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Cuts off everything and waits until its listeners are closed, within limits. */
  async end(): Promise<void> {
    this.#controller.abort(new Error('The machine went down.'))
    await Promise.race([this.finished, sleep(cleanUpMs, undefined, { ref: false })])
  }

  /** Takes model time, unless a saved machine is being resumed. Rejects when the boot ends. */
  async pause(modelMs: number): Promise<void> {
    const { fleet, isResuming } = this.machine
    if (!isResuming) await fleet.clock.sleep(modelMs, this.signal)
    this.signal.throwIfAborted()
  }

  /** For polling loops: at least a moment, however fast the lab runs, and at most that while resuming. */
  async wait(modelMs: number): Promise<void> {
    const { fleet, isResuming } = this.machine
    const moment = momentMs * fleet.clock.speed
    await fleet.clock.sleep(isResuming ? moment : Math.max(modelMs, moment), this.signal)
  }

  /** Waits for the end of this boot. */
  async rest(): Promise<never> {
    for (;;) await this.wait(3_600_000)
  }
}
