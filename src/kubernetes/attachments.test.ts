import { expect, test } from 'vitest'
import { aStub } from '../../tests/support/stub.js'
import { unattached } from './attachments.js'
import type { ObjectCalls } from './object-calls.js'

const attachment = (name: string, status: object) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name },
  spec: { nodeName: 'wk-1', source: { persistentVolumeName: `pv-${name}` } },
  status,
})

test('an attachment has failed as long as its driver says so, whatever was reached before', async () => {
  const list = async () => [
    attachment('one', { attached: true }),
    attachment('two', { attached: false, attachError: { message: 'disk is in use by VM 107' } }),
    attachment('three', { attached: true, attachError: { message: 'gone' } }),
    attachment('four', {}),
  ]
  const found = await unattached(aStub<ObjectCalls>({ list }), new AbortController().signal)
  expect([...found]).toEqual([
    ['two', 'pv-two is not attached to wk-1: disk is in use by VM 107'],
    ['three', 'pv-three is not attached to wk-1: gone'],
    ['four', 'pv-four is not attached to wk-1'],
  ])
})
