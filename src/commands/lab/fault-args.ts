import type { FaultOptions } from '../../lab/faults/define-fault.js'
import type { ArgSpec, ArgValues } from '../frame/define-command.js'

/** The options of faults. Lists are written with commas. */
export const faultArgs = {
  machine: { type: 'text', placeholder: 'MACHINE', help: 'the machine, by the name of its VM or node' },
  host: { type: 'text', placeholder: 'HOST', help: 'the host' },
  storage: { type: 'text', placeholder: 'HOST/STORAGE', help: 'the storage' },
  vmid: { type: 'number', placeholder: 'ID', integer: true, help: 'the VM' },
  address: { type: 'text', placeholder: 'IP', help: 'a new lease, a VIP, or a duplicate address' },
  image: { type: 'text', placeholder: 'IMAGE', help: 'the installer' },
  token: { type: 'text', placeholder: 'ID', help: "the token; the lab's own by default" },
  privileges: { type: 'text', placeholder: 'A,B', help: 'privileges that the token loses' },
  from: { type: 'text', placeholder: 'A,B', help: 'one side of a cut: machines, hosts, addresses, operator or *' },
  to: { type: 'text', placeholder: 'C,D', help: 'the other side of the cut' },
  oneWay: { type: 'flag', help: 'only lose packets from --from to --to' },
  refused: { type: 'flag', help: 'refuse connections instead of losing packets' },
  ms: { type: 'number', placeholder: 'MS', help: 'how late, or how wrong a clock is' },
  factor: { type: 'number', placeholder: 'N', help: 'how many times slower' },
  surface: {
    type: 'choice',
    choices: ['proxmox', 'talos', 'kubernetes', 'factory'],
    help: 'only requests to this API',
  },
  method: { type: 'text', placeholder: 'VERB', help: 'only requests of this HTTP method, or RPC of this name' },
  path: { type: 'text', placeholder: 'REGEX', help: 'only requests with this path' },
  nth: { type: 'number', placeholder: 'N', integer: true, min: 1, help: 'only the Nth mutating call from now on' },
  times: { type: 'number', placeholder: 'N', integer: true, min: 1, help: 'how many requests are affected' },
  chance: {
    type: 'number',
    placeholder: 'P',
    max: 1,
    help: 'probability from 0 to 1, derived from the seed of the lab',
  },
  code: { type: 'number', placeholder: 'N', integer: true, help: 'status to answer with; 500 by default' },
  message: { type: 'text', placeholder: 'TEXT', help: 'text of the answer or of the task' },
} as const satisfies Readonly<Record<keyof FaultOptions, ArgSpec>>

export function faultOptions(args: ArgValues<typeof faultArgs>): FaultOptions {
  const { privileges, from, to } = args
  const own = Object.fromEntries(Object.keys(faultArgs).map((name) => [name, args[name as keyof typeof args]]))
  return { ...own, privileges: listOf(privileges), from: listOf(from), to: listOf(to) }
}

function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').filter((part) => part !== '')
}
