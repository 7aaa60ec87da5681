import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, specFor } from '../../tests/support/worlds.js'
import { type Seen, seen, unseen } from '../cluster/seen.js'
import { noteText } from '../findings/notes/define-note.js'
import type { DeprecatedApi } from '../kubernetes/port.js'
import { deprecationNotes } from './version-rules.js'

test('an API that the wanted Kubernetes does not have any more is distinguished from one that only goes later', async () => {
  const spec = specFor(await anInventory({ with: { talos_version: 'v1.13.9', kubernetes_version: 'v1.36.3' } }))
  const notesFor = (deprecated: Seen<readonly DeprecatedApi[]>) => {
    const kubernetes = seen({ version: 'v1.35.4', nodes: [], addons: [], deprecated })
    const observed = { ...aWorld(['pve1']), kubernetes }
    return deprecationNotes(spec(observed), observed).map(noteText)
  }
  expect(
    notesFor(
      seen([
        { name: 'a/v1beta1 ones', removedIn: '1.36' },
        { name: 'b/v1 twos', removedIn: '1.38' },
      ]),
    ),
  ).toEqual([
    'The API a/v1beta1 ones is in use, and Kubernetes 1.36 has removed it: its clients fail with v1.36.3.',
    'The API b/v1 twos is in use, and Kubernetes 1.38 removes it.',
  ])
  expect(notesFor(unseen('no answer'))).toEqual([
    'Could not check for deprecated APIs before Kubernetes v1.36.3: no answer',
  ])
})
