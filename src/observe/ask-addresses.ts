import type { Machine } from '../cluster/machine.js'
import type { World } from '../world.js'

const ports = [50000, 6443] as const
const patienceMs = 1500

/** Addresses of machines that are yet to be made, and already answer: somebody else lives there. */
export async function askAddresses(
  machines: readonly Machine[],
  vip: string | undefined,
  { dialer }: World,
  signal: AbortSignal,
): Promise<{ address: string; port: number }[]> {
  const wanted = [
    ...machines.flatMap(({ address, nics: [first] }) => (address === undefined || first.dhcp ? [] : [address])),
    ...(vip === undefined ? [] : [vip]),
  ]
  const probes = wanted.flatMap((address) => ports.map((port) => ({ address, port })))
  const answers = await Promise.all(
    probes.map(async (probe) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const socket = await dialer.dial({ host: probe.address, port: probe.port }, patience).catch(() => undefined)
      socket?.destroy()
      return socket === undefined ? [] : [probe]
    }),
  )
  return answers.flat()
}
