import type { Context } from './context.js'

/** One option of a command. The key becomes the flag: `exitCode` is `--exit-code`. */
export type ArgSpec =
  | { readonly type: 'flag'; readonly help: string; readonly short?: string }
  | {
      readonly type: 'text'
      readonly help: string
      readonly placeholder: string
      readonly short?: string
      readonly default?: string
    }
  | {
      readonly type: 'number'
      readonly help: string
      readonly placeholder: string
      readonly default?: number
      readonly min?: number
      readonly max?: number
      readonly integer?: boolean
    }
  | { readonly type: 'choice'; readonly help: string; readonly choices: readonly string[]; readonly default?: string }
  /** May be given several times. */
  | { readonly type: 'list'; readonly help: string; readonly placeholder: string; readonly short?: string }

export type ArgSpecs = Readonly<Record<string, ArgSpec>>

type ValueOf<S extends ArgSpec> = S extends { type: 'flag' }
  ? boolean
  : S extends { type: 'list' }
    ? readonly string[]
    : S extends { type: 'number' }
      ? S extends { default: number }
        ? number
        : number | undefined
      : S extends { type: 'choice'; choices: readonly (infer C)[] }
        ? S extends { default: string }
          ? C
          : C | undefined
        : S extends { default: string }
          ? string
          : string | undefined

export type ArgValues<A extends ArgSpecs> = { readonly [K in keyof A]: ValueOf<A[K]> }

export interface Positional {
  readonly name: string
  readonly help: string
  readonly required: boolean
  /** Takes all remaining words. */
  readonly rest?: boolean
  /** The words that it can be, with what each means. */
  readonly choices?: readonly { readonly word: string; readonly about: string }[]
}

export interface Command {
  /** Shown under the summary in `--help`; the list of commands shows only the summary. */
  readonly description?: string
  readonly examples?: readonly string[]
  readonly args: ArgSpecs
  readonly positionals: readonly Positional[]
  /** Returns the exit code, 0 by default. Throws `UserFacingError` for all failures. */
  run(
    args: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
    context: Context,
  ): Promise<number | undefined>
}

interface Definition<A extends ArgSpecs> {
  readonly description?: string
  readonly examples?: readonly string[]
  readonly args: A
  readonly positionals?: readonly Positional[]
  run(args: ArgValues<A>, context: Context, positionals: readonly string[]): Promise<number | undefined>
}

/** Gives `run` the types of its arguments. */
export function defineCommand<const A extends ArgSpecs>(definition: Definition<A>): Command {
  return {
    ...(definition.description === undefined ? {} : { description: definition.description }),
    ...(definition.examples === undefined ? {} : { examples: definition.examples }),
    args: definition.args,
    positionals: definition.positionals ?? [],
    run: (args, positionals, context) => definition.run(args as ArgValues<A>, context, positionals),
  }
}

/** An entry in the list of commands: the command itself is loaded when it is used. */
export type CommandEntry = EntryText & (Runnable | Group)

interface EntryText {
  readonly name: string
  readonly summary: string
  readonly group: string
}

interface Runnable {
  readonly load: () => Promise<Command>
  /** `backup list`: runs without one of them, too. */
  readonly subcommands?: readonly CommandEntry[]
}

/** `lab start`, `secrets show`, …: their names continue this one. */
interface Group {
  readonly load?: undefined
  readonly subcommands: readonly CommandEntry[]
}
