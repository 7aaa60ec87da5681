import { UserFacingError } from '../../errors.js'
import { diffConfigs } from '../../talos/config/diff.js'
import type { FoundMachine } from '../found-cluster.js'

/** More places say no more. */
const maxPlaces = 8

/** One line if a file has another config than the machine runs: the places, never their values. */
export function configDifference(file: string, text: string, { name, talos }: FoundMachine): string[] {
  if (talos === undefined) return []
  try {
    const { changes } = diffConfigs(talos.config, text, talos.version)
    const places = changes.map(({ document, path }) =>
      document === 'v1alpha1' ? path : [document, path].filter((part) => part !== '').join(' '),
    )
    const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : ''
    return places.length === 0
      ? []
      : [`${file}: ${name} runs something else in ${places.slice(0, maxPlaces).join(', ')}${more}`]
  } catch (thrown) {
    if (thrown instanceof UserFacingError) return [`${file}: its machine config cannot be read`]
    throw thrown
  }
}
