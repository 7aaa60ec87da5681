import type { TalosMachine } from './machine.js'

/** On the wall. */
const momentMs = 5

/** One boot of a machine, until power is lost or the next one begins. What runs in it waits through it, and so ends with it. */
export class Boot {
  readonly machine: TalosMachine
  readonly #controller = new AbortController()

  constructor(machine: TalosMachine) {
    this.machine = machine
  }

  /** Aborted when this boot is over, however it ended. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(): void {
    this.#controller.abort(new Error('The machine went down.'))
  }

  /** Takes model time, unless a saved machine is being resumed. Rejects when the boot ends. */
  async pause(modelMs: number): Promise<void> {
    if (!this.machine.isResuming) await this.wait(modelMs)
    this.signal.throwIfAborted()
  }

  /** For loops that look again: takes time even while resuming, but then only a moment, whatever the lab's speed is. */
  async wait(modelMs: number): Promise<void> {
    const { fleet, isResuming } = this.machine
    const moment = momentMs * fleet.clock.speed
    await fleet.clock.sleep(isResuming ? Math.min(modelMs, moment) : modelMs, this.signal)
  }

  /** Waits for the end: for what has nothing more to do in this boot. */
  async rest(): Promise<never> {
    for (;;) await this.wait(3_600_000)
  }
}
