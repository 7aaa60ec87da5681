import type { AgentAnswer, Guest } from '../../core/guest.js'
import { startMachine } from './boot-sequence.js'
import { durations } from './durations.js'
import type { TalosMachine } from './machine.js'
import { shutDown } from './power.js'
import { resumeMachine, resumeTrial, saveMachine } from './save-machine.js'

/** The machine as the hypervisor sees it. */
export function createGuest(machine: TalosMachine, resumed: unknown): Guest {
  if (resumed !== undefined) resumeMachine(machine, resumed)
  startMachine(machine, resumed === undefined ? 'cold' : 'kexec')
  if (resumed !== undefined) resumeTrial(machine, resumed)

  return {
    powerOff: async () => {
      machine.onGone()
      await machine.shutDownNow()
    },
    /**
     * Talos handles the button only after minutes, when all its volumes are unmounted. A VM without Talos stands for
     * another system that was installed in it.
     */
    acpiShutdown: () => {
      const { signal } = machine.boot
      const isOther = machine.asset === undefined
      machine.fleet.clock.after(isOther ? durations.otherShutdown : durations.acpiShutdown, () => {
        if (!signal.aborted) void shutDown(machine)
      })
    },
    reset: async () => {
      await machine.shutDownNow()
      startMachine(machine, 'cold')
    },
    freeze: () => {
      machine.isHung = true
    },
    agent: () => agentAnswer(machine),
    agentShutdown: () => void shutDown(machine),
    save: () => saveMachine(machine),
  }
}

/** Responds only with the extension, with the VM's option, and once the system is up. */
function agentAnswer(machine: TalosMachine): AgentAnswer | undefined {
  const hasAgent = machine.asset?.extensions.includes('siderolabs/qemu-guest-agent') === true
  const isUp = machine.services.isHealthy('ext-qemu-guest-agent') || machine.stage === 'maintenance'
  if (!machine.hardware.agentEnabled || !hasAgent || !isUp || machine.isHung || machine.isAgentSilent) return undefined
  return {
    hostname: machine.hostname,
    interfaces: [
      { name: 'lo', addresses: [{ address: '127.0.0.1', prefix: 8 }] },
      ...machine.links.map(({ name, mac, addresses }) => ({
        name,
        mac,
        addresses: addresses.map((cidr) => {
          const [address = '', prefix = '32'] = cidr.split('/')
          return { address, prefix: Number(prefix) }
        }),
      })),
    ],
  }
}
