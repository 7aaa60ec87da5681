import { expect, test } from 'vitest'
import { diskSize, diskVolume } from './disk-option.js'

test.each([
  ['local-lvm:vm-100-disk-0,discard=on,size=1246M', 'local-lvm:vm-100-disk-0', 1246 * 1024 ** 2],
  ['local:iso/seed.iso,media=cdrom,size=378K', 'local:iso/seed.iso', 378 * 1024],
  ['file=local-lvm:vm-1-disk-1,size=40G', 'local-lvm:vm-1-disk-1', 40 * 1024 ** 3],
  ['none,media=cdrom', undefined, undefined],
  [undefined, undefined, undefined],
])('%s holds %s of %s bytes', (option, volume, size) => {
  expect(diskVolume(option)).toBe(volume)
  expect(diskSize(option)).toBe(size)
})
