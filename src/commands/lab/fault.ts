import { UsageError } from '../../errors.js'
import type { FaultAction, FaultRule } from '../../lab/index.js'
import type { Strike } from '../../lab/strike.js'
import { type StrikeKind, strikeKinds } from '../../lab/strikes.js'
import { defineCommand } from '../frame/define-command.js'
import { jsonArg } from '../shared-args.js'
import { nameArg } from './named.js'
import { getLab } from './running.js'

const kinds = [
  'refuse',
  'delay',
  'status',
  'drop-answer',
  'kill-caller',
  'kill-task',
  'fail-task',
  'fail-config',
  'revoke-token',
  'narrow-token',
  'cut-stream',
] as const

export default defineCommand({
  description:
    '--do adds a rule for requests that match all given options. --strike affects a machine, a host, a storage, a token or the network until it is ended; docs/lab.md lists the options of each. Without options, lists the current rules.',
  examples: [
    'ichor lab fault --do drop-answer --method POST --path "^/nodes/pve1/qemu$"',
    'ichor lab fault --do kill-caller --nth 7',
    'ichor lab fault --do status --code 596 --message "Connection timed out" --path tasks --times 3',
    'ichor lab fault --do fail-config --vmid 2000',
    'ichor lab fault --do refuse --surface proxmox --chance 0.05 --times 1000',
    'ichor lab fault --machine dev-cp-2 --strike hang',
    'ichor lab fault --machine dev-cp-2 --strike clock-behind --ms 86400000',
    'ichor lab fault --strike cut --from operator --to dev-cp-1,dev-cp-2',
    'ichor lab fault --strike read-only-storage --storage pve1/local-lvm',
    'ichor lab fault --host-offline pve2',
    'ichor lab fault --clear',
  ],
  args: {
    ...jsonArg,
    ...nameArg,
    do: { type: 'choice', choices: kinds, help: 'what happens to a request that matches' },
    surface: { type: 'choice', choices: ['proxmox', 'talos', 'kubernetes', 'factory'], help: 'which API' },
    method: { type: 'text', placeholder: 'VERB', help: 'HTTP method, or the name of the RPC' },
    path: { type: 'text', placeholder: 'REGEX', help: 'path of the request' },
    vmid: { type: 'number', placeholder: 'ID', help: 'requests about this VM' },
    host: { type: 'text', placeholder: 'NAME', help: 'requests about this host' },
    machine: {
      type: 'text',
      placeholder: 'NAME',
      help: 'requests about this machine; with --strike, the affected machine',
    },
    nth: {
      type: 'number',
      placeholder: 'N',
      isWhole: true,
      least: 1,
      help: 'only the Nth mutating call from now on',
    },
    times: {
      type: 'number',
      placeholder: 'N',
      isWhole: true,
      least: 1,
      default: 1,
      help: 'how many requests are affected',
    },
    chance: {
      type: 'number',
      placeholder: 'P',
      most: 1,
      help: 'probability from 0 to 1, derived from the seed of the lab',
    },
    ms: {
      type: 'number',
      placeholder: 'MS',
      default: 5000,
      help: 'duration of a delay, a lag, etcd latency or clock skew',
    },
    code: { type: 'number', placeholder: 'N', isWhole: true, default: 500, help: 'status to answer with' },
    message: {
      type: 'text',
      placeholder: 'TEXT',
      default: 'fault of the lab',
      help: 'text of the answer or of the task',
    },
    hostOffline: { type: 'text', placeholder: 'HOST', help: 'take a host offline' },
    hostOnline: { type: 'text', placeholder: 'HOST', help: 'bring a host back online' },
    loseQuorum: { type: 'flag', help: 'the Proxmox cluster loses its quorum' },
    regainQuorum: { type: 'flag', help: 'the Proxmox cluster regains its quorum' },
    fill: { type: 'text', placeholder: 'HOST/STORAGE', help: 'fill up a storage' },
    free: { type: 'text', placeholder: 'HOST/STORAGE', help: 'free the space again' },
    strike: { type: 'choice', choices: strikeKinds, help: 'a lasting fault, until it is ended' },
    storage: { type: 'text', placeholder: 'HOST/STORAGE', help: 'the affected storage' },
    address: { type: 'text', placeholder: 'IP', help: 'a new lease, a VIP, or a duplicate address' },
    from: { type: 'text', placeholder: 'A,B', help: 'one side of a cut: machines, hosts, addresses, operator or *' },
    to: { type: 'text', placeholder: 'C,D', help: 'the other side of the cut' },
    oneWay: { type: 'flag', help: 'only lose packets from --from to --to' },
    refused: { type: 'flag', help: 'refuse connections instead of losing packets' },
    factor: { type: 'number', placeholder: 'N', default: 20, help: 'how many times slower a storage is' },
    token: { type: 'text', placeholder: 'ID', help: "the affected token; the lab's own by default" },
    privileges: {
      type: 'text',
      placeholder: 'A,B',
      default: 'VM.Allocate',
      help: 'privileges that narrow-token removes',
    },
    breakImage: { type: 'text', placeholder: 'IMAGE', help: 'an installer that succeeds, but does not boot' },
    clear: { type: 'flag', help: 'remove all rules' },
  },
  async run(args, context) {
    const { control } = await getLab(context, args.name)
    if (args.clear) await control.clearFaults()
    if (args.hostOffline !== undefined) await control.setHostOnline(args.hostOffline, false)
    if (args.hostOnline !== undefined) await control.setHostOnline(args.hostOnline, true)
    if (args.loseQuorum || args.regainQuorum) await control.setQuorate(args.regainQuorum)
    if (args.fill !== undefined) await control.fillStorage(...placeOf(args.fill), 0)
    if (args.free !== undefined) await control.freeStorage(...placeOf(args.free))
    if (args.breakImage !== undefined) await control.breakImage(args.breakImage)
    if (args.strike !== undefined) await control.strike(args.strike as StrikeKind, strikeOf(args))
    if (args.do !== undefined) await control.addFault(ruleOf(args, actionOf(args.do, args)))
    const rules = await control.faults()
    context.stdout.write(
      args.json
        ? `${JSON.stringify({ version: 1, rules })}\n`
        : rules
            .map(
              (rule) =>
                `${rule.id}  ${JSON.stringify(rule.match)} -> ${JSON.stringify(rule.action)} (${rule.hits} of ${rule.times ?? 1})\n`,
            )
            .join(''),
    )
    return 0
  },
})

interface RuleArgs {
  readonly surface: string | undefined
  readonly method: string | undefined
  readonly path: string | undefined
  readonly vmid: number | undefined
  readonly host: string | undefined
  readonly machine: string | undefined
  readonly nth: number | undefined
  readonly times: number
  readonly chance: number | undefined
}

function ruleOf(args: RuleArgs, action: FaultAction): FaultRule {
  const { surface, method, path, vmid, host, machine, nth, times, chance } = args
  if (path !== undefined) refuseBrokenPattern(path)
  const match = {
    surface: surface as FaultRule['match']['surface'],
    method,
    path,
    vmid,
    host,
    machine,
    nthMutating: nth,
  }
  return {
    match: Object.fromEntries(Object.entries(match).filter(([, value]) => value !== undefined)),
    action,
    times,
    ...(chance === undefined ? {} : { chance }),
  }
}

function refuseBrokenPattern(path: string): void {
  try {
    new RegExp(path)
  } catch (cause) {
    throw new UsageError(`--path must be a regular expression, got ${JSON.stringify(path)}.`, {
      where: 'ichor lab fault --path',
      fix: 'Write one such as "^/nodes/pve1/qemu$", in quotes.',
      cause,
    })
  }
}

interface StrikeArgs {
  readonly machine: string | undefined
  readonly host: string | undefined
  readonly storage: string | undefined
  readonly vmid: number | undefined
  readonly address: string | undefined
  readonly token: string | undefined
  readonly privileges: string
  readonly from: string | undefined
  readonly to: string | undefined
  readonly oneWay: boolean
  readonly refused: boolean
  readonly ms: number
  readonly factor: number
}

function strikeOf(args: StrikeArgs): Strike {
  const { machine, vmid, address, token, privileges, from, to, oneWay, refused, ms, factor } = args
  const [host, storage] = args.storage === undefined ? [args.host, undefined] : placeOf(args.storage)
  const given = { machine, host, storage, vmid, address, token }
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    privileges: listOf(privileges),
    from: listOf(from),
    to: listOf(to),
    isOneWay: oneWay,
    isRefused: refused,
    ms,
    factor,
  }
}

function listOf(text = ''): string[] {
  return text.split(',').filter((part) => part !== '')
}

function actionOf(
  kind: string,
  { ms, code, message, privileges }: { ms: number; code: number; message: string; privileges: string },
): FaultAction {
  switch (kind) {
    case 'delay':
      return { kind, modelMs: ms }
    case 'status':
      return { kind, status: code, message }
    case 'fail-task':
    case 'fail-config':
      return { kind, message }
    case 'narrow-token':
      return { kind, privileges: listOf(privileges) }
    default:
      return { kind } as FaultAction
  }
}

function placeOf(text: string): [string, string] {
  const [host, storage] = text.split('/')
  if (host === undefined || storage === undefined) {
    throw new UsageError(`${JSON.stringify(text)} names no storage of a host.`, {
      where: 'ichor lab fault',
      fix: 'Write HOST/STORAGE, such as pve1/local-lvm.',
    })
  }
  return [host, storage]
}
