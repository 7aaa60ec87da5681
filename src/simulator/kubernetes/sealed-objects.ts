import { type ObjectStore, sealedResource } from './object-store.js'
import { StatusError } from './status-error.js'

/**
 * The objects as one API server sees them: it writes Secrets with the first of its keys, and reads those whose key it
 * has. Nothing is really encrypted: each Secret is stored with the name and a hash of its key.
 */
export function sealedObjects(objects: ObjectStore, keys: readonly string[]): ObjectStore {
  if (keys.length === 0) return objects
  const refuseUnreadable = (resource: string, namespace: string | undefined, name: string) => {
    const seal = objects.sealOf(resource, namespace, name)
    if (seal === undefined || keys.includes(seal)) return
    throw new StatusError(
      500,
      'InternalError',
      `Internal error occurred: unable to transform key "/registry/secrets/${namespace}/${name}": no matching key was found for the provided Secretbox transformer`,
    )
  }
  return {
    ...objects,
    get revision() {
      return objects.revision
    },
    list: (resource) => {
      const found = objects.list(resource)
      if (resource === sealedResource)
        for (const { metadata } of found) refuseUnreadable(resource, metadata.namespace, metadata.name)
      return found
    },
    find: (resource, namespace, name) => {
      if (resource === sealedResource) refuseUnreadable(resource, namespace, name)
      return objects.find(resource, namespace, name)
    },
    put: (resource, object) => objects.put(resource, object, resource === sealedResource ? keys[0] : undefined),
  }
}
