import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import { main } from '../../src/commands/frame/main.js'
import { commands } from '../../src/commands/index.js'
import { anOperator, asOperator, type Operator } from './operator.js'
import type { Site } from './site.js'

/** How a run of ichor ended, and what it said. */
export interface Ended {
  readonly words: readonly string[]
  /** `killed` where the operator was; `hung` when nothing ended it. */
  readonly code: number | 'killed' | 'hung'
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

/**
 * No run takes longer, whatever happens to it; the lab's hours are seconds here. The longest is one against a Proxmox that hangs: each of
 * a step's attempts asks it three times for 35 seconds.
 */
const deadlineMs = 900_000

export interface RunOptions {
  readonly operator?: Operator
  /** Fires as Ctrl-C does. */
  readonly signal?: AbortSignal
  /** Where the inventory is; that of the site unless said otherwise. */
  readonly folder?: string
}

/** Runs a verb in this process. */
export async function ichor(site: Site, words: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const operator = options.operator ?? anOperator('desk')
  const folder = options.folder ?? site.folder
  const hung = new AbortController()
  const signal = options.signal === undefined ? hung.signal : AbortSignal.any([options.signal, hung.signal])
  setMaxListeners(0, signal)
  const said = { stdout: '', stderr: '' }
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const code = await Promise.race([
    asOperator(operator, () => runMain({ ...site, folder }, words, said, signal)),
    new Promise<'killed'>((resolve) => operator.onKilled(() => resolve('killed'))),
    new Promise<'hung'>((resolve) => {
      timer = setTimeout(() => resolve('hung'), deadlineMs)
    }),
  ])
  clearTimeout(timer)
  if (code === 'hung') hung.abort(new Error('the run took too long'))
  operator.end()
  return { words, code, ...said, ms: Math.round(performance.now() - began) }
}

function runMain(
  { folder, env }: Pick<Site, 'folder' | 'env'>,
  words: readonly string[],
  said: { stdout: string; stderr: string },
  signal: AbortSignal,
): Promise<number> {
  const into = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      said[stream] += text
    },
  })
  return main([...words, '-i', folder, '--lab'], commands, {
    stdout: into('stdout'),
    stderr: into('stderr'),
    stdin: Readable.from([]),
    env,
    cwd: folder,
    signal,
    program: 'ichor',
  })
}
