import { noteText } from '../../../src/findings/notes/define-note.js'
import type { GoldenCase } from '../golden-case.js'
import type { Outcome } from '../plan-case.js'

/** What a case shows, as words: a case is worth keeping for those that no other shows. */
export function featuresOf(golden: GoldenCase, outcome: Outcome): Set<string> {
  return new Set([...stepFeatures(golden, outcome), ...endFeatures(outcome), ...inputFeatures(golden)])
}

function* stepFeatures({ goal }: GoldenCase, { rounds }: Outcome): Generator<string> {
  for (const [index, round] of rounds.entries()) {
    const kinds = new Map(round.map(({ id, kind }) => [id, kind]))
    yield `round ${Math.min(index + 1, 6)}`
    for (const step of round) {
      yield `kind ${step.kind}`
      yield `${goal} ${step.kind}`
      yield `${step.kind} because ${general(step.reason)}`
      yield `${step.kind} titled ${general(step.title).slice(0, 40)}`
      yield `${step.kind} is ${[step.changes, step.disruptive, step.restores, step.softens, step.setsConfig]}`
      yield `${step.kind} loses ${step.loses.map(general)}`
      yield `${step.kind} pending ${step.pending}`
      yield `${step.kind} turn ${step.turn === undefined ? '' : Math.min(step.turn.limit, 3)}`
      for (const id of step.after) yield `${step.kind} after ${kinds.get(id)}`
    }
    for (const [position, { kind }] of round.entries()) yield `${round[position - 1]?.kind ?? 'nothing'} then ${kind}`
  }
}

function* endFeatures({ plan, refused }: Outcome): Generator<string> {
  if (refused !== undefined) {
    yield `refusal ${/\((.*\/)?(src\/.*?):\d+\)|at (.*\/)?(src\/.*)/.exec(refused.stack ?? '')?.[0]}`
    yield `refused ${general(refused.message)}`
    yield `fix ${general(refused.fix)}`
  }
  for (const note of plan?.notes ?? []) yield `note ${general(noteText(note))}`
  for (const { what } of plan?.unknown ?? []) yield `unknown ${general(what)}`
  if (plan?.steps.length === 0) yield 'nothing to do'
}

function* inputFeatures(golden: GoldenCase): Generator<string> {
  const { inventory, environment, settings, observed, secrets, addons, patches, from, ...intent } = golden
  yield `asked by ${from}`
  for (const [key, value] of Object.entries(intent)) yield `${key} ${typeof value === 'string' ? value : ''}`
  for (const addon of addons) yield `addon ${addon.name}`
  for (const { mark, talos, status } of observed.machines)
    yield `machine ${mark.role} ${mark.stage} ${status} ${talos.reach}`
  for (const { because } of observed.unverified) yield `unverified ${because}`
  if (observed.secrets.rotation !== undefined)
    yield `rotation ${observed.secrets.rotation.what} ${observed.secrets.rotation.phase}`
  yield* unseenIn(observed, 'observed')
}

/** Where something could not be seen. */
function* unseenIn(value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if ('seen' in value && value.seen === false) yield `${path} is unseen`
  for (const [key, one] of Object.entries(value)) yield* unseenIn(one, Array.isArray(value) ? path : `${path}.${key}`)
}

/** A sentence without its names and numbers. */
function general(text: string): string {
  return text
    .replaceAll(/\b[a-z]+-(cp|wk|worker|[a-z]+)-\d+\b/g, 'NODE')
    .replaceAll(/\bpve\d+\b/g, 'HOST')
    .replaceAll(/(NODE|HOST)(, (NODE|HOST))+/g, '$1')
    .replaceAll(/[0-9a-f]{8,}/g, 'HASH')
    .replaceAll(/\d+/g, 'N')
}
