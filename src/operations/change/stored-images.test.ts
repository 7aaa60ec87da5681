import { expect, test } from 'vitest'
import { aDesired } from '../../../tests/support/contexts.js'
import { aWorld } from '../../../tests/support/worlds.js'
import { volidOf } from '../../vm/desired-parts.js'
import { storedImages } from './stored-images.js'

const desired = await aDesired({ workers: 1 })
const observed = aWorld(['pve1'])
const [image] = desired.images
const volume = (volid: string) => ({ volid, content: 'import', format: 'qcow2', size: 5 })

test('what the inventory wants is used, what it wanted before is not, and what others put there is not ours', () => {
  const wanted = image === undefined ? '' : volidOf(image)
  const old = wanted.replace(/v\d+\.\d+\.\d+/, 'v1.7.0')
  const volumes = [volume(wanted), volume(old), volume('local:import/debian-13.qcow2'), volume('local:iso/talos.iso')]
  const listed = storedImages([{ host: image?.host ?? '', isShared: false, volumes }], desired, observed)
  expect(listed).toEqual([
    expect.objectContaining({ volid: wanted, kind: 'image', size: 5, used_by: ['dev-cp-1', 'dev-wk-1'] }),
    expect.objectContaining({ volid: old, used_by: [] }),
  ])
})

test('an image of that name on another host is not the one that machines here use', () => {
  const volumes = image === undefined ? [] : [volume(volidOf(image))]
  const [elsewhere] = storedImages([{ host: 'pve9', isShared: false, volumes }], desired, observed)
  expect(elsewhere?.used_by).toEqual([])
  const [shared] = storedImages([{ host: 'pve9', isShared: true, volumes }], desired, observed)
  expect(shared?.used_by).toEqual(['dev-cp-1', 'dev-wk-1'])
})

test('a VM on a host that does not answer may use what lies on a shared storage: not read is not unused', () => {
  const old = (image === undefined ? '' : volidOf(image)).replace(/v\d+\.\d+\.\d+/, 'v1.7.0')
  const away = { name: 'dev-wk-2', host: 'pve2', vmid: 3001, because: 'away' as const, text: 'pve2 does not answer' }
  const blind = { ...observed, unverified: [away] }
  const usersOn = (host: string, isShared: boolean) =>
    storedImages([{ host, isShared, volumes: [volume(old)] }], desired, blind).map(({ used_by }) => used_by)
  expect(usersOn('pve1', true)).toEqual([['dev-wk-2']])
  expect(usersOn('pve1', false)).toEqual([[]])
})
