import { type ConfigObject, type ConfigValue, section } from '../config-value.js'

/** A document beside the classic one. */
export function newDocument(kind: string, fields: Readonly<Record<string, ConfigValue | undefined>>): ConfigObject {
  return section({ apiVersion: 'v1alpha1', kind, ...fields })
}
