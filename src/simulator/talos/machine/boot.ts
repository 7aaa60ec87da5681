import { setTimeout as sleep } from 'node:timers/promises'
import type { TalosMachine } from './machine.js'

/** In real time, whatever the lab's speed is. */
const momentMs = 5
const cleanUpMs = 1000

/** One boot of a machine, until power is lost or the next one begins. What runs in it waits through it, and so ends with it. */
export class Boot {
  readonly machine: TalosMachine
  /** Settles when everything that ran in it has cleaned up. */
  finished: Promise<void> = Promise.resolve()
  readonly #controller = new AbortController()

  constructor(machine: TalosMachine) {
    this.machine = machine
  }

  /** Aborted when this boot is over, however it ended. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Cuts off what runs and waits until its listeners are closed, within reason. */
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

  /** For loops that look again: never sooner than after a moment, however fast the lab runs, and no later than that while resuming. */
  async wait(modelMs: number): Promise<void> {
    const { fleet, isResuming } = this.machine
    const moment = momentMs * fleet.clock.speed
    await fleet.clock.sleep(isResuming ? moment : Math.max(modelMs, moment), this.signal)
  }

  /** Waits for the end: for what has nothing more to do in this boot. */
  async rest(): Promise<never> {
    for (;;) await this.wait(3_600_000)
  }
}
