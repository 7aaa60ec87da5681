import { isDeepStrictEqual } from 'node:util'
import { type ConfigValue, isConfigObject } from '../config-value.js'

/** The key that identifies an element, for each list that Talos merges by element. */
const keys: Readonly<Record<string, readonly string[]>> = {
  NetworkDeviceList: ['interface', 'deviceSelector'],
  VlanList: ['vlanId'],
  AdmissionPluginConfigList: ['name'],
  ConfigFileList: ['mountPath'],
  ImageVerificationRules: ['image'],
}

/** The index of the element with the same key; -1 if there is none. The first key that the new element has decides. */
export function findKeyed(list: string, elements: readonly ConfigValue[], wanted: ConfigValue): number {
  if (!isConfigObject(wanted)) return -1
  const key = keys[list]?.find((name) => wanted[name] !== undefined && wanted[name] !== '')
  if (key === undefined) return -1
  return elements.findIndex((element) => isConfigObject(element) && isDeepStrictEqual(element[key], wanted[key]))
}
