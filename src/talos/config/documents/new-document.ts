import { type ConfigObject, type ConfigValue, section } from '../config-value.js'

/** A document next to v1alpha1. */
export function newDocument(kind: string, fields: Readonly<Record<string, ConfigValue | undefined>>): ConfigObject {
  return section({ apiVersion: 'v1alpha1', kind, ...fields })
}
