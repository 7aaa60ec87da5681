import { expect, test } from 'vitest'
import { controllersOf } from './controllers.js'

test('only addons that are asked for and talk to Proxmox get an identity', () => {
  const asked = { cilium: {}, proxmox_csi: { datastore: 'fast' }, proxmox_ccm: {}, metallb: undefined }
  expect(controllersOf(asked).map(({ addon, name, storages }) => [addon, name, storages])).toEqual([
    ['proxmox_ccm', 'ccm', undefined],
    ['proxmox_csi', 'csi', ['fast']],
  ])
  expect(controllersOf({})).toEqual([])
})
