import { ciliumCrds } from '../charts/network.js'
import { builtInResources } from '../resources.js'
import { createObject } from '../write/write-object.js'
import { type Controller, isReady } from './controller.js'

const definitions = 'customresourcedefinitions.apiextensions.k8s.io'
const resource = builtInResources.find(({ kind }) => kind === 'CustomResourceDefinition')

/** Operators that create their CRDs do so once they run. */
export const bringCrds: Controller = ({ state }) => {
  const isOperatorUp = state.objects
    .list('pods')
    .some((pod) => pod.metadata.labels?.['app.kubernetes.io/name'] === 'cilium-operator' && isReady(pod))
  if (!isOperatorUp || resource === undefined) return
  for (const crd of ciliumCrds) {
    const { name } = crd.metadata as { name: string }
    if (state.objects.find(definitions, undefined, name) !== undefined) continue
    createObject(state, { resource, namespace: undefined }, crd, {
      fieldManager: 'cilium-operator',
      force: false,
      dryRun: false,
    })
  }
}
