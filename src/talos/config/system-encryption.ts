import { canonicalJson } from '../../cluster/canonical.js'
import { type ConfigValue, isConfigObject } from './config-value.js'
import { readConfig, titleOf } from './read-config.js'

/** The encryption of the system volumes in a config, in either contract style: the same text for the same setting. */
export function systemEncryption(text: string, where: string): string {
  const found: Record<string, ConfigValue> = {}
  for (const document of readConfig(text, where)) {
    const title = titleOf(document)
    if (title === 'VolumeConfig STATE' || title === 'VolumeConfig EPHEMERAL')
      Object.assign(found, named(title.split(' ')[1] ?? '', document.encryption))
    if (title !== 'v1alpha1' || !isConfigObject(document.machine)) continue
    const { systemDiskEncryption: both } = document.machine
    if (!isConfigObject(both)) continue
    Object.assign(found, named('STATE', both.state), named('EPHEMERAL', both.ephemeral))
  }
  return canonicalJson(found)
}

function named(volume: string, encryption: ConfigValue | undefined): Record<string, ConfigValue> {
  return encryption === undefined ? {} : { [volume]: encryption }
}
