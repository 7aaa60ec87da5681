import { parse } from 'yaml'
import { type RotationTarget, rotationTargets } from '../../src/cluster/rotation.js'
import type { SecretsBundle } from '../../src/secrets/bundle.js'
import type { Lab } from '../../src/simulator/index.js'
import { Broken } from './broken.js'
import { clusterName } from './shape.js'

/** Every key that can be rotated, in the order in which the secrets came to sign with it. */
export interface Keys {
  /** What the newest secrets say. */
  newest: string
  readonly known: Readonly<Record<RotationTarget, string[]>>
  /** The newest key that each machine has run with, by the UUID of its VM. */
  readonly used: Map<string, Readonly<Partial<Record<RotationTarget, number>>>>
  /** Objects that only the key of the Secrets opens. */
  readonly kept: Set<string>
}

interface File extends SecretsBundle {
  readonly ichor?: { readonly rotated?: Readonly<Record<string, { readonly generation: string }>> }
}

export function newKeys(text: string): Keys {
  const none = { 'talos-ca': [], 'kubernetes-ca': [], 'service-account-key': [], 'etcd-encryption-key': [] }
  const keys: Keys = { newest: text, known: none, used: new Map(), kept: new Set() }
  noteSecrets(keys, text)
  return keys
}

/** What a run has written, in whatever folder: the file that knows of more rotations is the newer one. */
export function noteSecrets(keys: Keys, text: string): void {
  const file = parse(text) as File
  for (const what of rotationTargets) {
    const key = keyOf(file, what)
    if (key !== undefined && !keys.known[what].includes(key)) keys.known[what].push(key)
  }
  if (rotationsIn(text) >= rotationsIn(keys.newest)) keys.newest = text
}

/** How often keys have been changed, as far as these secrets know. */
export function rotationsIn(text: string): number {
  const { ichor } = parse(text) as File
  return Math.max(0, ...Object.values(ichor?.rotated ?? {}).map(({ generation }) => Number(generation)))
}

export function newerOf(one: string, other: string): string {
  return rotationsIn(other) > rotationsIn(one) ? other : one
}

/** All of them, for what must never be printed. */
export function everyKey({ known }: Keys): string[] {
  return Object.values(known).flat()
}

function keyOf({ certs, secrets }: File, what: RotationTarget): string | undefined {
  if (what === 'talos-ca') return certs.os.key
  if (what === 'kubernetes-ca') return certs.k8s.key
  if (what === 'service-account-key') return certs.k8sserviceaccount.key
  return secrets.secretboxencryptionsecret
}

/** The cluster is another one: what its machines ran with counts no more. */
export function forgetUse({ used, kept }: Keys): void {
  used.clear()
  kept.clear()
}

/** No machine goes back to a key that was rotated away. */
export function judgeKeys({ known, used }: Keys, lab: Lab): void {
  for (const { uuid, name } of lab.talos.machines().filter((machine) => machine.name.startsWith(`${clusterName}-`))) {
    const { active } = lab.talos.configOf(name)
    const before = used.get(uuid) ?? {}
    const now: Partial<Record<RotationTarget, number>> = {}
    for (const what of rotationTargets) {
      const age = usedIn(active, known[what])
      if (age === undefined) continue
      now[what] = age
      if (age < (before[what] ?? 0)) throw new Broken('stale-key', `${name} went back to an older ${what}`)
    }
    used.set(uuid, { ...before, ...now })
  }
}

/** When nothing is left to do, all run with the newest. */
export function judgeNewest(keys: Keys, lab: Lab): void {
  judgeKeys(keys, lab)
  for (const what of rotationTargets) {
    const ages = new Set([...keys.used.values()].flatMap((one) => one[what] ?? []))
    const running = lab.talos.machines().flatMap(({ uuid }) => keys.used.get(uuid)?.[what] ?? [])
    if (running.some((age) => age < Math.max(...ages)))
      throw new Broken('stale-key', `some machines run with an older ${what} than others did`)
  }
}

/** The first of the keys in a config is the one that it uses; others are only accepted. */
function usedIn(config: string, keys: readonly string[]): number | undefined {
  const places = keys
    .map((key, age) => ({ age, at: placeOf(config, key) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
  return places[0]?.age
}

/** As base64, or as PEM with its last full line. */
function placeOf(config: string, key: string): number {
  const lines = Buffer.from(key, 'base64').toString('latin1').trim().split('\n')
  const line = lines.length < 3 ? undefined : lines.at(-2)
  const found = [config.indexOf(key), line === undefined ? -1 : config.indexOf(line)].filter((at) => at >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}
