import type { AgentAnswer, Guest, GuestKind, Hardware } from '../../core/guest.js'

/** A guest that only runs. It reacts to the power button only if configured to. */
export interface IdleGuests extends GuestKind {
  readonly running: ReadonlyMap<number, Hardware>
  /** The guest agents' responses from now on. */
  answer(vmid: number, agent: AgentAnswer | undefined): void
}

export function createIdleGuests({ heedsButton = false }: { heedsButton?: boolean } = {}): IdleGuests {
  const running = new Map<number, Hardware>()
  const agents = new Map<number, AgentAnswer>()

  const powerOn = (hardware: Hardware): Guest => {
    running.set(hardware.vmid, hardware)
    const goDown = () => {
      running.delete(hardware.vmid)
      hardware.onPowerOff()
    }
    return {
      powerOff: async () => {
        running.delete(hardware.vmid)
      },
      acpiShutdown: () => {
        if (heedsButton) goDown()
      },
      reset: async () => undefined,
      agent: () => (hardware.agentEnabled ? agents.get(hardware.vmid) : undefined),
      agentShutdown: goDown,
      save: () => ({ name: hardware.name }),
    }
  }

  return {
    running,
    powerOn,
    answer: (vmid, agent) => {
      if (agent === undefined) agents.delete(vmid)
      else agents.set(vmid, agent)
    },
  }
}
