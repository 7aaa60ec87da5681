import type { ConfigObject, ConfigValue } from '../../src/talos/config/config-value.js'
import { isConfigList, isConfigObject } from '../../src/talos/config/config-value.js'
import { titleOf } from '../../src/talos/config/read-config.js'

/** Documents by their title, in any order, without what Talos treats as absent. */
export function byTitleOf(documents: readonly ConfigObject[]): Record<string, ConfigValue> {
  return Object.fromEntries(documents.map((document) => [titleOf(document), without(document)]))
}

function without(value: ConfigValue): ConfigValue {
  if (isConfigList(value)) return value.map(without)
  if (!isConfigObject(value)) return value
  const kept = Object.entries(value).filter(([, one]) => one !== null && !(isConfigList(one) && one.length === 0))
  return Object.fromEntries(kept.map(([key, one]) => [key, without(one)]))
}
