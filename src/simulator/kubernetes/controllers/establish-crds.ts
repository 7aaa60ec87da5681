import { isEstablished, nowStamp } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { type Controller, withCondition } from './controller.js'

const establishMs = 1_500
const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

/** A definition is served a moment after it was created, not at once. */
export const establishCrds: Controller = ({ state, now, wakeIn }) => {
  for (const crd of state.objects.list(definitions)) {
    if (isEstablished(crd)) continue
    const age = now - Date.parse(crd.metadata.creationTimestamp ?? '')
    if (age < establishMs) wakeIn(establishMs - age)
    else state.objects.put(definitions, established(crd, nowStamp(state)))
  }
}

function established(crd: StoredObject, stamp: string): StoredObject {
  const accepted = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
  const first = { ...crd, status: { conditions: withCondition(crd, accepted, stamp) } }
  const condition = {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  }
  const storedVersions = mapsAt(crd, 'spec', 'versions')
    .filter((one) => one.storage === true)
    .flatMap((one) => textAt(one, 'name') ?? [])
  return {
    ...crd,
    status: {
      conditions: withCondition(first, condition, stamp),
      acceptedNames: mapAt(crd, 'spec', 'names'),
      storedVersions,
    },
  }
}
