import { expect, test } from 'vitest'
import { decodeMedium, encodeMedium } from './medium.js'

test('a medium describes its content, and other bytes have no description', () => {
  const info = {
    kind: 'disk-image',
    talos: 'v1.13.9',
    schematic: 'ce4c',
    platform: 'nocloud',
    arch: 'amd64',
    extensions: ['siderolabs/qemu-guest-agent'],
    kernelArgs: [],
    secureBoot: false,
    nominalSize: 110_000_000,
    virtualSize: 1246 * 1024 ** 2,
  } as const
  const bytes = encodeMedium(info)
  expect(bytes.byteLength % 2048).toBe(0)
  expect(decodeMedium(bytes)).toEqual(info)
  expect(decodeMedium(Buffer.from('CD001'))).toBeUndefined()
})
