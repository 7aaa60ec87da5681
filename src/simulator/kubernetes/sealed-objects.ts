import { type ObjectStore, sealedResource } from './object-store.js'
import { StatusError } from './status-error.js'

/**
 * The objects as one API server sees them: it writes Secrets with the first of its keys, and reads those whose key it
 * has. Nothing is really encrypted: each Secret is stored with the name and a hash of its key.
 */
export function sealedObjects(objects: ObjectStore, keys: readonly string[]): ObjectStore {
  const problemOf = (namespace: string | undefined, name: string) => {
    const seal = objects.sealOf(sealedResource, namespace, name)
    return seal === undefined || keys.includes(seal) ? undefined : transformProblem(seal, keys)
  }
  return {
    ...objects,
    get revision() {
      return objects.revision
    },
    list: (resource) => {
      const found = objects.list(resource)
      if (resource !== sealedResource) return found
      for (const { metadata } of found) {
        const problem = problemOf(metadata.namespace, metadata.name)
        if (problem === undefined) continue
        const key = `/registry/secrets/${metadata.namespace}/${metadata.name}`
        throw internalError(`unable to transform key "${key}": ${problem}`)
      }
      return found
    },
    find: (resource, namespace, name) => {
      const problem = resource === sealedResource ? problemOf(namespace, name) : undefined
      if (problem !== undefined) throw internalError(problem)
      return objects.find(resource, namespace, name)
    },
    put: (resource, object) => objects.put(resource, object, resource === sealedResource ? keys[0] : undefined),
  }
}

/**
 * As API servers say it. Data names its cipher and key (`k8s:enc:secretbox:v1:key2:`), and a key of that name is tried:
 * secretbox then complains about an output array.
 */
function transformProblem(seal: string, keys: readonly string[]): string {
  if (keys.length === 0) return 'identity transformer tried to read encrypted data'
  const [cipher = '', name] = partsOf(seal)
  const sameCipher = keys.map(partsOf).filter(([other]) => other === cipher)
  if (sameCipher.length === 0) return 'no matching prefix found'
  const isSecretbox = cipher === 'secretbox'
  if (sameCipher.every(([, other]) => other !== name))
    return `no matching key was found for the provided ${isSecretbox ? 'Secretbox' : 'AES'} transformer`
  return isSecretbox ? 'output array was not large enough for encryption' : 'invalid padding on input'
}

/** Of `k8s:enc:secretbox:v1:key2:HASH:`. */
function partsOf(seal: string): [cipher: string, name: string] {
  const [, , cipher = '', , name = ''] = seal.split(':')
  return [cipher, name]
}

function internalError(problem: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${problem}`)
}
