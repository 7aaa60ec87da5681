import type { TalosNode } from '../talos/api/port.js'
import { waitUntil } from '../work/wait-until.js'
import type { WorkContext } from '../work/work-context.js'
import { isLostAnswer } from './lost-answer.js'

const minute = 60_000
const askAgainAfterMs = minute

export interface Boot {
  readonly machine: string
  readonly node: TalosNode
  /** Reboots the machine. Its response may be lost: only a new boot ID proves the reboot. */
  act(signal: AbortSignal): Promise<void>
}

/** Reboots a machine once, and waits until it responds with a new boot ID. */
export async function awaitNextBoot({ machine, node, act }: Boot, context: WorkContext): Promise<void> {
  const { signal } = context
  const before = await node.bootId(signal)
  const attempt = async (): Promise<boolean> => {
    try {
      await act(signal)
      return true
    } catch (thrown) {
      if (signal.aborted || !isLostAnswer(thrown)) throw thrown
      context.note('the answer was lost: whether it boots is seen from its boot id')
      return false
    }
  }
  let isAsked = await attempt()
  let askedAt = context.clock.monotonic()
  await waitUntil(
    {
      forWhat: `${machine} to boot`,
      where: `machine ${machine}`,
      timeoutMs: 20 * minute,
      intervalMs: 1000,
      fix: `Look at its console in Proxmox; ichor dmesg ${machine} shows more.`,
      machine,
    },
    async () => {
      if ((await node.bootId(signal)) !== before) return true
      if (!isAsked && context.clock.monotonic() - askedAt > askAgainAfterMs) {
        isAsked = await attempt()
        askedAt = context.clock.monotonic()
      }
      return undefined
    },
    context,
  )
}
