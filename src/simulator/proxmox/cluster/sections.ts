import { createHash } from 'node:crypto'
import type { Datacenter } from '../datacenter.js'
import type { Call } from '../http/call.js'
import type { Section } from '../state.js'

/** The sections of one configuration file, such as the HA resources, by their id. */
export function sectionsOf({ state }: Datacenter, kind: string): Record<string, Section> {
  const known = state.sections[kind]
  if (known !== undefined) return known
  const fresh: Record<string, Section> = {}
  state.sections[kind] = fresh
  return fresh
}

/** The state that a client has seen, which it sends back. */
export function sectionDigest(sections: Record<string, Section>): string {
  return createHash('sha1').update(JSON.stringify(sections)).digest('hex')
}

const numbers = new Set([
  'max_restart',
  'max_relocate',
  'failback',
  'restricted',
  'nofailback',
  'strict',
  'disable',
  'auto-rebalance',
])

/** A section as GET returns it. */
export function show(key: string, id: string, section: Section, digest: string): Record<string, unknown> {
  const options = Object.entries(section).map(([name, value]) => [name, numbers.has(name) ? Number(value) : value])
  return { ...Object.fromEntries(options), [key]: id, digest }
}

/** The options that a call sets. */
export function optionsIn({ parameters }: Call, without: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([key, value]) =>
      without.includes(key) ? [] : [[key, key === 'state' && value === 'enabled' ? 'started' : String(value)]],
    ),
  )
}
