import { execFile } from 'node:child_process'
import type { RollCheck, RollCommand, RollObject } from '../desired/desired.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { fetchAnswer } from '../reach/fetch-text.js'
import { checkEnvironment } from './check-environment.js'
import type { StepContext } from './step.js'

/** What a command receives, besides the environment. */
export interface CheckedMachine {
  readonly cluster: string
  readonly machine: string
}

const patienceMs = 60_000

/** Returns, or throws with what the check saw. */
export async function runRollCheck(check: RollCheck, about: CheckedMachine, context: StepContext): Promise<void> {
  const patience = AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)])
  if ('url' in check) return askUrl(check.url, patience)
  if ('object' in check) return askObjects(check, { ...context, signal: patience })
  return runCommand(check, about, patience)
}

async function askUrl(url: string, signal: AbortSignal): Promise<void> {
  const answer = await fetchAnswer(url, {}, signal)
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`${url} answered with ${answer.status}`)
}

/** A kind that does not exist fails as well: a misspelt one would otherwise pass. */
async function askObjects(check: RollObject, context: StepContext): Promise<void> {
  const found = await findObjects(check, context)
  if (found.length === 0) throw new Error(`there is no ${objectInWords(check)}`)
  for (const object of found) {
    const value = valueAt(object, check.path)
    if (check.equals.some((wanted) => wanted === value)) continue
    const shown = value === undefined ? 'absent' : JSON.stringify(value).slice(0, 100)
    throw new Error(`${check.path} of ${check.object.kind} ${object.metadata.name ?? ''} is ${shown}`)
  }
}

async function findObjects({ object }: RollObject, context: StepContext): Promise<KubernetesObject[]> {
  const { namespace, name, ...kind } = object
  const api = await kubernetesApi(context)
  if (name === undefined) return api.list(kind, namespace, {}, context.signal)
  const one = await api.find(kind, namespace, name, context.signal)
  return one === undefined ? [] : [one]
}

function valueAt(object: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    return (value as Readonly<Record<string, unknown>>)[key]
  }, object)
}

/** Runs on this computer, without a shell; throws with the last line of its output. */
export function runCommand(
  { command: [program = '', ...args] }: RollCommand,
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
  if ('object' in check)
    return `${check.path} of ${objectInWords(check)} is ${check.equals.map((value) => quoted(String(value))).join(' or ')}`
  return check.command.map(quoted).join(' ')
}

function objectInWords({ object: { apiVersion, kind, namespace, name } }: RollObject): string {
  const place = [namespace, name ?? '*'].filter((part) => part !== undefined).join('/')
  return `${kind}.${apiVersion} ${place}`
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}
