import { createInterface } from 'node:readline'
import { createInterface as createReader } from 'node:readline/promises'
import { Cancelled, UsageError } from '../../errors.js'
import { clearBelow } from '../../report/clear-below.js'
import { textStyle } from '../../report/text-style.js'
import { beside, cutTo, wrapWords } from '../../report/wrap.js'
import { answered } from '../ask.js'
import type { Context } from '../frame/context.js'
import { keysIn } from '../frame/keys.js'

export interface Choice {
  readonly value: string
  readonly about: string
}

/** Questions of one conversation: with arrow keys on a terminal, with numbers and names where keys cannot be read. */
export interface Prompt {
  /** Asks again until `problemOf` finds nothing. Empty input is `usual`. */
  text(question: string, usual: string, problemOf: (answer: string) => string | undefined): Promise<string>
  choose(question: string, choices: readonly Choice[], usual: string): Promise<string>
  /** At least one. */
  chooseSome(question: string, choices: readonly Choice[], usual: readonly string[]): Promise<readonly string[]>
  end(): void
}

export function openPrompt(context: Context): Prompt {
  const lines = context.stdin.isTTY === true ? undefined : pipedLines(context)
  const read = async (question: string): Promise<string> => {
    if (lines !== undefined) return lines.next(question)
    const output = context.stderr as unknown as NodeJS.WritableStream
    return (await answered(createReader({ input: context.stdin, output }), question, context)).trim()
  }
  const say = (text: string, indent: number) =>
    void context.stderr.write(`${beside(' '.repeat(indent), indent, text, widthOf(context))}\n`)
  const list = (question: string, choices: readonly Choice[]) => {
    say(question, 0)
    const width = Math.max(...choices.map(({ value }) => value.length))
    for (const [index, { value, about }] of choices.entries()) {
      const label = `  ${index + 1}  ${value.padEnd(width)}  `
      context.stderr.write(`${beside(label, label.length, about, widthOf(context))}\n`)
    }
  }
  const until = async <T>(question: string, parse: (typed: string) => T | Problem): Promise<T> => {
    for (;;) {
      const parsed = parse(await read(question))
      if (!(parsed instanceof Problem)) return parsed
      say(parsed.text, 2)
    }
  }
  const only = (question: string, [choice]: readonly Choice[]) => {
    say(`${question}  ${choice?.value ?? ''} (the only one)`, 0)
    return choice?.value ?? ''
  }
  const hasKeys = lines === undefined && context.stdin.setRawMode !== undefined
  return {
    text: (question, usual, problemOf) =>
      until(`${question} [${usual}]: `, (typed) => {
        const answer = typed === '' ? usual : typed
        const problem = problemOf(answer)
        return problem === undefined ? answer : new Problem(problem)
      }),
    choose: async (question, choices, usual) => {
      if (choices.length === 1) return only(question, choices)
      if (hasKeys) return (await pick(question, choices, { usual: [usual], isMany: false }, context))[0] ?? usual
      list(question, choices)
      return until(`Number or name [${usual}]: `, (typed) => (typed === '' ? usual : named(typed, choices)))
    },
    chooseSome: async (question, choices, usual) => {
      if (choices.length === 1) return [only(question, choices)]
      if (hasKeys) return pick(question, choices, { usual, isMany: true }, context)
      list(question, choices)
      return until('Numbers or names, with commas [all]: ', (typed) => {
        const found = typed === '' ? usual : typed.split(/[\s,]+/).map((word) => named(word, choices))
        return found.find((one) => one instanceof Problem) ?? (found as readonly string[])
      })
    },
    end: () => lines?.end(),
  }
}

/** Why an answer is asked for again. */
class Problem {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function named(typed: string, choices: readonly Choice[]): string | Problem {
  const found = choices.find(({ value }) => value === typed) ?? choices[Number(typed) - 1]
  if (found !== undefined) return found.value
  return new Problem(`There is no ${typed}: choose ${choices.map(({ value }) => value).join(', ')}.`)
}

/** Lines of a pipe are read once for all questions: a reader for each would lose what the one before it has buffered. */
function pipedLines({ stdin, stderr }: Context) {
  const reader = createInterface({ input: stdin })
  const waiting = reader[Symbol.asyncIterator]()
  return {
    next: async (question: string): Promise<string> => {
      stderr.write(question)
      const { value, done } = await waiting.next()
      stderr.write('\n')
      if (done !== true) return String(value).trim()
      throw new UsageError('An answer is required, but the input has ended.', {
        where: question.trim(),
        fix: 'Use --yes, with flags for values that differ from the defaults.',
      })
    },
    end: () => reader.close(),
  }
}

interface Picking {
  readonly usual: readonly string[]
  readonly isMany: boolean
}

/** A list in which arrow keys move. Each line is cut to the screen; when it is over, one line with the answer is left. */
async function pick(
  question: string,
  choices: readonly Choice[],
  { usual, isMany }: Picking,
  context: Context,
): Promise<readonly string[]> {
  const { stdin, stderr, env, signal } = context
  const style = textStyle({ isTTY: true }, env)
  const chosen = new Set(isMany ? usual : [])
  let at = Math.max(
    0,
    choices.findIndex(({ value }) => value === usual[0]),
  )
  const valueWidth = Math.max(...choices.map(({ value }) => value.length))
  const lines = () => {
    const width = widthOf(context) - 1
    const help = isMany ? 'arrows, space to choose, Enter' : 'arrows, Enter'
    return [
      cutTo(`${question} (${help})`, width),
      ...choices.map(({ value, about }, index) => {
        const mark = isMany ? `[${chosen.has(value) ? 'x' : ' '}] ` : ''
        const text = `${index === at ? '>' : ' '} ${mark}${value.padEnd(valueWidth)}  ${about}`.trimEnd()
        const shown = text.length <= width ? text : text.slice(0, width)
        return index === at ? style.cyan(shown) : shown
      }),
    ]
  }
  // From the last line upwards, and the cursor on the first one: a resize in between leaves nothing behind.
  const draw = () => {
    const shown = lines()
    const room = '\n'.repeat(shown.length - 1)
    stderr.write(`${clearBelow}\u001b[?7l${room}${shown.reverse().join('\r\u001b[1A')}\r\u001b[?7h`)
  }
  return new Promise((settle, fail) => {
    const stop = (end: () => void) => {
      stdin.off('data', onData)
      signal.removeEventListener('abort', cancel)
      stdin.setRawMode?.(false)
      stdin.pause()
      stderr.write(`${clearBelow}\u001b[?25h`)
      end()
    }
    const cancel = () =>
      stop(() =>
        fail(
          new Cancelled('Stopped at the question: nothing was changed.', {
            where: question,
            fix: 'Run the same command again when you are ready.',
          }),
        ),
      )
    const onData = (chunk: Buffer | string) => {
      for (const key of keysIn(String(chunk))) {
        if (key === 'ctrl-c' || key === 'ctrl-d') return cancel()
        if (key === 'enter') {
          const answer = isMany
            ? choices.map(({ value }) => value).filter((value) => chosen.has(value))
            : [choices[at]?.value ?? '']
          if (answer.length === 0) continue
          return stop(() => {
            stderr.write(`${wrapWords(`${question}  ${answer.join(', ')}`, widthOf(context)).join('\n')}\n`)
            settle(answer)
          })
        }
        at = moved(key, at, choices)
        const value = choices[at]?.value ?? ''
        if (isMany && key === ' ' && !chosen.delete(value)) chosen.add(value)
      }
      draw()
    }
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel)
    stdin.setRawMode?.(true)
    stdin.on('data', onData)
    stdin.resume()
    stderr.write('\u001b[?25l')
    draw()
  })
}

/** A digit is the choice of that name, such as the number of control planes, or the choice at that place. */
function moved(key: string, at: number, choices: readonly Choice[]): number {
  const count = choices.length
  const same = choices.findIndex(({ value }) => value === key)
  if (same >= 0) return same
  if (key === 'up' || key === 'k') return Math.max(0, at - 1)
  if (key === 'down' || key === 'j') return Math.min(count - 1, at + 1)
  const number = Number(key)
  return key !== ' ' && number >= 1 && number <= count ? number - 1 : at
}

function widthOf({ stderr }: Context): number {
  const [columns] = stderr.getWindowSize?.() ?? [stderr.columns ?? 80]
  return Math.max(20, columns)
}
