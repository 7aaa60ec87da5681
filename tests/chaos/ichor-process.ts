import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { killAtChange } from '../support/kill-at-change.js'
import type { Ended } from './ichor.js'
import type { Site } from './site.js'

const deadlineMs = 600_000

export interface ProcessOptions {
  readonly folder: string
  /** Ends it with the signal that is its reason. */
  readonly signal: AbortSignal
  /** Kills it at this change of a temporary file beside the inventory. */
  readonly killInWrite?: number
}

/** Verbs without it look, or change only files. */
const withoutLease = /^(plan|status|health|capacity|metrics|doctor|watch|backup|lock|secrets recover)\b(?!.*--fix)/

/** Runs a verb with the built program in a process of its own. */
export async function ichorProcess(
  { env }: Pick<Site, 'env'>,
  words: readonly string[],
  { folder, signal, killInWrite }: ProcessOptions,
): Promise<Ended> {
  const began = performance.now()
  // Who held the lease before may have been an operator of this process, whom no other process can look for.
  const unlock = withoutLease.test(words.join(' ')) ? [] : ['--force-unlock']
  const all = [...words, ...unlock, '-i', folder, '--lab']
  const child = spawn(process.execPath, [resolve('dist/bin.js'), ...all], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk
  })
  const end = () => void child.kill(signal.reason === 'SIGKILL' ? 'SIGKILL' : 'SIGINT')
  signal.addEventListener('abort', end, { once: true })
  // The file is there, and its content may not be.
  if (killInWrite !== undefined) killAtChange(child, folder, killInWrite, /\.tmp$/)
  let isHung = false
  const timer = setTimeout(() => {
    isHung = true
    child.kill('SIGKILL')
  }, deadlineMs)
  const code = await new Promise<number | null>((settle, fail) => child.on('error', fail).on('close', settle))
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  return { words, code: isHung ? 'hung' : (code ?? 'killed'), ...said, ms: Math.round(performance.now() - began) }
}
