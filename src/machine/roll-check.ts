import { execFile } from 'node:child_process'
import type { DesiredRoll } from '../desired/desired.js'

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
  const answer = await fetch(url, { signal, redirect: 'follow' })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`${url} answered with ${answer.status}`)
}

/** Our tokens are not passed on. */
function runCommand(
  [program = '', ...args]: readonly string[],
  { cluster, machine }: CheckedMachine,
  signal: AbortSignal,
): Promise<void> {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PROXMOX_VE_|^ICHOR_/.test(name)))
  const env = { ...own, ICHOR_CLUSTER: cluster, ICHOR_MACHINE: machine }
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, signal }, (error, stdout, stderr) => {
      if (error === null) return resolve()
      const output = (stderr.trim() || stdout.trim() || error.message).split('\n').at(-1)
      reject(new Error(`${program}: ${output}`))
    })
  })
}

/** As the user wrote it. */
export function checkInWords(check: RollCheck): string {
  return 'url' in check ? check.url : check.command.join(' ')
}
