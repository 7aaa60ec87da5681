import type { ConfigObject } from '../config-value.js'
import type { TalosMachine } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** Mirrors, credentials and trusted CAs of image registries. */
export function registryDocuments({ registries }: TalosMachine): ConfigObject[] {
  const byHost = [...registries].sort((one, other) => (one.host < other.host ? -1 : 1))
  return [
    ...byHost.flatMap(({ host, auth }) =>
      auth === undefined ? [] : [newDocument('RegistryAuthConfig', { name: host, ...auth })],
    ),
    ...byHost
      .filter(({ mirrors }) => mirrors.length > 0)
      .map(({ host, mirrors, skipFallback }) =>
        newDocument('RegistryMirrorConfig', {
          name: host,
          endpoints: mirrors.map((url) => ({ url })),
          skipFallback: skipFallback ? true : undefined,
        }),
      ),
    ...byHost
      .filter(({ ca, insecure }) => ca !== undefined || insecure)
      .map(({ host, ca, insecure }) =>
        newDocument('RegistryTLSConfig', { name: host, ca, insecureSkipVerify: insecure ? true : undefined }),
      ),
  ]
}
