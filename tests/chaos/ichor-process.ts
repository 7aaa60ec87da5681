import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Ended } from './ichor.js'
import type { Site } from './site.js'

const deadlineMs = 120_000

/** Runs a verb with the built program in a process of its own; the signal ends it with the signal that is its reason. */
export async function ichorProcess(site: Site, words: readonly string[], signal: AbortSignal): Promise<Ended> {
  const began = performance.now()
  // Who held the lease before may have been an operator of this process, whom no other process can look for.
  const all = [...words, '--force-unlock', '-i', site.folder, '--lab']
  const child = spawn(process.execPath, [resolve('dist/bin.js'), ...all], {
    cwd: site.folder,
    env: site.env,
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
