import { type FaultDefinition, type FaultOrder, flagOf } from '../../lab/faults/define-fault.js'
import { faultDefinitions } from '../../lab/faults/index.js'
import { rowsText } from '../command-rows.js'
import type { Context } from '../frame/context.js'
import { faultArgs } from './fault-args.js'

/** Every fault and every order that ends one, as words of the command line. */
export const faultWords = [
  ...faultDefinitions.map(({ name, subject, effect }) => ({
    word: name,
    about: `${subject}: ${effect}`.replaceAll('`', ''),
  })),
  ...[...new Set(faultDefinitions.flatMap(({ end }) => (typeof end === 'string' ? [] : [end])))].map((order) => ({
    word: order.name,
    about: `ends ${faultDefinitions.flatMap(({ name, end }) => (end === order ? [name] : [])).join(' and ')}`,
  })),
]

/** All faults, by what they happen to. */
export function faultList(context: Context): string {
  const subjects = [...new Set(faultDefinitions.map(({ subject }) => subject))]
  const part = (subject: string) => {
    const rows = faultDefinitions.filter((fault) => fault.subject === subject).map(rowOf)
    return `${subject}\n${rowsText(rows, context)}`
  }
  return subjects.map(part).join('\n')
}

function rowOf(fault: FaultDefinition): [command: string, text: string] {
  return [faultUsage(fault), `${fault.effect}; until ${endOf(fault)}`.replaceAll('`', '')]
}

/** `hang --machine NAME` @internal */
export function faultUsage({ name, needs }: FaultOrder): string {
  const options = needs.map((option) => {
    const spec = faultArgs[option]
    return 'placeholder' in spec ? `${flagOf(option)} ${spec.placeholder}` : flagOf(option)
  })
  return [name, ...options].join(' ')
}

/** What ends it, in Markdown. @internal */
export function endOf({ end }: FaultDefinition): string {
  return typeof end === 'string' ? end : `\`${end.name}\``
}

/** As JSON shows a fault. */
export function faultEntry({ name, subject, effect, needs, takes, end }: FaultDefinition) {
  return { name, subject, effect, needs, takes, end: typeof end === 'string' ? end : end.name }
}
