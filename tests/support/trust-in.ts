import { parseAllDocuments } from 'yaml'

/** Whom a node trusts, by its config: the authorities that sign, and those that are accepted beside them. */
export interface TrustedAuthorities {
  readonly talos: string
  readonly kubernetes: string
  readonly accepted: readonly string[]
}

interface Section {
  readonly ca?: { readonly crt?: string }
  readonly acceptedCAs?: readonly { readonly crt?: string }[] | null
}

/** Of a config in the classic style. */
export function trustIn(config: string): TrustedAuthorities {
  const documents = parseAllDocuments(config)
  const tree = (Array.isArray(documents) ? documents : [])
    .map((document): { machine?: Section; cluster?: Section } => document.toJS())
    .find(({ machine }) => machine !== undefined)
  const accepted = [tree?.machine, tree?.cluster].flatMap((section) => section?.acceptedCAs ?? [])
  return {
    talos: tree?.machine?.ca?.crt ?? '',
    kubernetes: tree?.cluster?.ca?.crt ?? '',
    accepted: accepted.map(({ crt = '' }) => crt),
  }
}

/** How a rotation of both ends, whoever did it: every node has the same new authorities, and accepts no others. */
export function problemsAfterRotation(configs: readonly string[], old: Omit<TrustedAuthorities, 'accepted'>): string[] {
  const all = configs.map(trustIn)
  const distinct = (place: 'talos' | 'kubernetes') => new Set(all.map((one) => one[place]))
  return [
    ...(['talos', 'kubernetes'] as const).flatMap((place) => [
      ...(distinct(place).size === 1 ? [] : [`nodes differ in the ${place} CA`]),
      ...(distinct(place).has(old[place]) || distinct(place).has('')
        ? [`a node has the old ${place} CA, or none`]
        : []),
    ]),
    ...(all.some(({ accepted }) => accepted.length > 0) ? ['a node accepts another CA'] : []),
  ]
}
