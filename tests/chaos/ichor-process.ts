import { type ChildProcess, spawn } from 'node:child_process'
import { type FSWatcher, watch } from 'node:fs'
import { resolve } from 'node:path'
import type { Ended } from './ichor.js'
import type { Site } from './site.js'

const deadlineMs = 600_000

export interface ProcessOptions {
  readonly folder: string
  /** Ends it with the signal that is its reason. */
  readonly signal: AbortSignal
  /** Kills it when it has this many temporary files begun beside the inventory. */
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
  const watcher = killInWrite === undefined ? undefined : killAtWrite(child, folder, killInWrite)
  let isHung = false
  const timer = setTimeout(() => {
    isHung = true
    child.kill('SIGKILL')
  }, deadlineMs)
  const code = await new Promise<number | null>((settle, fail) => child.on('error', fail).on('close', settle))
  clearTimeout(timer)
  watcher?.close()
  signal.removeEventListener('abort', end)
  return { words, code: isHung ? 'hung' : (code ?? 'killed'), ...said, ms: Math.round(performance.now() - began) }
}

/** The file is there, and its content may not be. */
function killAtWrite(child: ChildProcess, folder: string, nth: number): FSWatcher {
  const begun = new Set<string>()
  return watch(folder, (_event, name) => {
    if (name === null || !name.endsWith('.tmp')) return
    begun.add(name)
    if (begun.size >= nth) child.kill('SIGKILL')
  })
}
