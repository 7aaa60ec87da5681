import type { FaultRule, Lab } from '../../simulator/index.js'

/** What a fault can be given: each is an option of `ichor lab fault`. */
export interface FaultOptions {
  readonly machine?: string | undefined
  readonly host?: string | undefined
  /** `pve1/local-lvm` */
  readonly storage?: string | undefined
  readonly vmid?: number | undefined
  readonly address?: string | undefined
  readonly image?: string | undefined
  readonly token?: string | undefined
  readonly privileges?: readonly string[] | undefined
  /** The sides of a network cut: machines, hosts, addresses, `operator` or `*`. */
  readonly from?: readonly string[] | undefined
  readonly to?: readonly string[] | undefined
  readonly oneWay?: boolean | undefined
  readonly refused?: boolean | undefined
  /** A clock error, a latency or a lag. */
  readonly ms?: number | undefined
  /** How many times slower. */
  readonly factor?: number | undefined
  readonly surface?: FaultRule['match']['surface']
  readonly method?: string | undefined
  readonly path?: string | undefined
  /** Only the Nth mutating call from now on. */
  readonly nth?: number | undefined
  readonly times?: number | undefined
  readonly chance?: number | undefined
  readonly code?: number | undefined
  readonly message?: string | undefined
}

export type FaultOption = keyof FaultOptions

/** Something that can be ordered of a lab, with the options that it needs and those that it takes as well. */
export interface FaultOrder {
  readonly name: string
  readonly needs: readonly FaultOption[]
  readonly takes: readonly FaultOption[]
  run(lab: Lab, options: FaultOptions): void | Promise<void>
}

export type FaultSubject = 'request' | 'machine' | 'VM' | 'host' | 'storage' | 'token' | 'network' | 'image'

export interface FaultDefinition extends FaultOrder {
  readonly subject: FaultSubject
  /** What happens, in one line. */
  readonly effect: string
  /** What ends it: an order, or something that happens. */
  readonly end: FaultOrder | string
}

type Given<N extends FaultOption> = FaultOptions & { readonly [Name in N]: NonNullable<FaultOptions[Name]> }

interface OrderOf<N extends FaultOption> {
  readonly name: string
  readonly needs?: readonly N[]
  readonly takes?: readonly FaultOption[]
  run(lab: Lab, options: Given<N>): void | Promise<void>
}

/** A fault of the lab: what it does, what it needs, and what ends it. */
export function defineFault<const N extends FaultOption = never>(
  fault: OrderOf<N> & Pick<FaultDefinition, 'subject' | 'effect' | 'end'>,
): FaultDefinition {
  const { subject, effect, end } = fault
  return { subject, effect, end, ...defineEnd(fault) }
}

/** The order that ends a fault. */
export function defineEnd<const N extends FaultOption = never>(order: OrderOf<N>): FaultOrder {
  const { name, needs = [], takes = [], run } = order
  return {
    name,
    needs,
    takes,
    run: (lab, options) => {
      refuseOptions({ name, needs, takes }, options)
      return run(lab, options as Given<N>)
    },
  }
}

function refuseOptions({ name, needs, takes }: Omit<FaultOrder, 'run'>, options: FaultOptions): void {
  const given = Object.entries(options).flatMap(([option, value]) => (isGiven(value) ? [option as FaultOption] : []))
  const missing = needs.find((option) => !given.includes(option))
  if (missing !== undefined) throw new Error(`${name} needs ${flagOf(missing)}.`)
  const unused = given.find((option) => !needs.includes(option) && !takes.includes(option))
  if (unused !== undefined) throw new Error(`${name} takes no ${flagOf(unused)}.`)
}

function isGiven(value: FaultOptions[FaultOption]): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}

/** `oneWay` is `--one-way`. */
export function flagOf(option: FaultOption): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
