import { execFile } from 'node:child_process'
import type { DesiredRoll } from '../desired/desired.js'
import { fetchAnswer } from '../reach/fetch-text.js'
import { checkEnvironment } from './check-environment.js'

type RollCheck = NonNullable<DesiredRoll['check']>

/** What a check command receives, besides the environment. */
export interface CheckedMachine {
  readonly cluster: string
  readonly machine: string
}

const patienceMs = 60_000

/** Returns, or throws with the output of the check. A command runs on this computer, without a shell. */
export async function runRollCheck(check: RollCheck, about: CheckedMachine, signal: AbortSignal): Promise<void> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  if ('url' in check) return askUrl(check.url, patience)
  return runCommand(check.command, about, patience)
}

async function askUrl(url: string, signal: AbortSignal): Promise<void> {
  const answer = await fetchAnswer(url, {}, signal)
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`${url} answered with ${answer.status}`)
}

function runCommand(
  [program = '', ...args]: readonly string[],
  about: CheckedMachine,
  signal: AbortSignal,
): Promise<void> {
  const env = checkEnvironment(process.env, about)
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, signal }, (error, stdout, stderr) => {
      if (error === null) return resolve()
      const output = (stderr.trim() || stdout.trim() || error.message).split('\n').at(-1)
      reject(new Error(`${program}: ${output}`))
    })
  })
}

/** As the user wrote it; a word that is not plain is quoted, so that the end of each argument shows. */
export function checkInWords(check: RollCheck): string {
  if ('url' in check) return check.url
  return check.command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
