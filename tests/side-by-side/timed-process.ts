import { execFile } from 'node:child_process'

export interface Timed {
  readonly seconds: number
  /** Processor time of the program and of those that it has started. */
  readonly cpuSeconds: number
}

/** Runs a program to its end and says what it took; throws with its words when it fails. */
export function timedProcess(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Timed> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    // Only a shell knows what its children used.
    const script = '"$@"; code=$?; times >&2; exit $code'
    const options = { cwd, env, timeout: 600_000, maxBuffer: 64 * 1024 ** 2 }
    execFile('bash', ['-c', script, 'bash', ...words], options, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(`${words.join(' ')}: ${stdout}\n${stderr}`))
      resolve({ seconds: (performance.now() - began) / 1000, cpuSeconds: childrenOf(stderr) })
    })
  })
}

/** `0m1.234s 0m0.123s` of the children is the last line of `times`. */
function childrenOf(stderr: string): number {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  const spent = [...last.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  )
  return spent.reduce((sum, one) => sum + one, 0)
}
