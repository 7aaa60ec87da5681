import type { FaultAction, FaultRule } from '../../simulator/index.js'
import { defineFault, type FaultDefinition, type FaultOption, type FaultOptions } from './define-fault.js'

/** Options that choose requests. */
export const matchOptions = [
  'surface',
  'method',
  'path',
  'vmid',
  'host',
  'machine',
  'nth',
  'times',
  'chance',
] as const satisfies readonly FaultOption[]

const defaultMessage = 'fault of the lab'
const defaultDelayMs = 5000

interface RequestFault {
  readonly name: string
  readonly effect: string
  readonly takes?: readonly FaultOption[]
  action(options: FaultOptions): FaultAction
}

/** A fault of single requests: of the next one that all given options match, or of the next `--times`. */
function defineRequestFault({ name, effect, takes = [], action }: RequestFault): FaultDefinition {
  return defineFault({
    name,
    subject: 'request',
    effect,
    takes: [...matchOptions, ...takes],
    end: '`--times` requests, 1 by default',
    run: ({ faults }, options) => void faults.add(ruleFor(options, action(options))),
  })
}

/** The rule that applies an action to requests that match. */
export function ruleFor(options: FaultOptions, action: FaultAction): FaultRule {
  const { surface, method, path, vmid, host, machine, nth, times = 1, chance } = options
  const match = { surface, method, path, vmid, host, machine, nthMutating: nth }
  return {
    match: Object.fromEntries(Object.entries(match).filter(([, value]) => value !== undefined)),
    action,
    times,
    ...(chance === undefined ? {} : { chance }),
  }
}

export const refuse = defineRequestFault({
  name: 'refuse',
  effect: 'the connection is closed before the call is handled',
  action: () => ({ kind: 'refuse' }),
})

export const delay = defineRequestFault({
  name: 'delay',
  effect: 'the call waits for `--ms`',
  takes: ['ms'],
  action: ({ ms = defaultDelayMs }) => ({ kind: 'delay', modelMs: ms }),
})

export const status = defineRequestFault({
  name: 'status',
  effect: 'the call is answered with `--code` and `--message`, and not handled',
  takes: ['code', 'message'],
  action: ({ code = 500, message = defaultMessage }) => ({ kind: 'status', status: code, message }),
})

export const dropAnswer = defineRequestFault({
  name: 'drop-answer',
  effect: 'the call is handled, its answer lost',
  action: () => ({ kind: 'drop-answer' }),
})

export const killCaller = defineRequestFault({
  name: 'kill-caller',
  effect: 'the call is handled, and its caller killed before it reads the answer',
  action: () => ({ kind: 'kill-caller' }),
})

export const cutStream = defineRequestFault({
  name: 'cut-stream',
  effect: 'the answer breaks off half-way',
  action: () => ({ kind: 'cut-stream' }),
})

export const killTask = defineRequestFault({
  name: 'kill-task',
  effect: 'the worker that the call starts dies half-way and leaves what such workers leave',
  action: () => ({ kind: 'kill-task' }),
})

export const failTask = defineRequestFault({
  name: 'fail-task',
  effect: 'the task that the call starts fails half-way with `--message`, and cleans up',
  takes: ['message'],
  action: ({ message = defaultMessage }) => ({ kind: 'fail-task', message }),
})

export const failConfig = defineRequestFault({
  name: 'fail-config',
  effect: 'a config change of a VM fails half-way with `--message`',
  takes: ['message'],
  action: ({ message = defaultMessage }) => ({ kind: 'fail-config', message }),
})
