import { expect, test } from 'vitest'
import { integer, oid } from './der.js'

test.each([
  { bytes: [0x01], hex: '020101', because: 'it is already as short as can be' },
  { bytes: [0x80], hex: '02020080', because: 'a set top bit would mean a negative number' },
  { bytes: [0x00, 0x00, 0x7f], hex: '02017f', because: 'leading zeros are illegal padding' },
  { bytes: [0x00, 0xff], hex: '020200ff', because: 'one zero stays before a set top bit' },
  { bytes: [0x00], hex: '020100', because: 'zero is one byte' },
])('the integer $bytes is $hex: $because', ({ bytes, hex }) => {
  expect(integer(Buffer.from(bytes)).toString('hex')).toBe(hex)
})

test('an object identifier packs its numbers into groups of seven bits', () => {
  expect(oid('1.2.840.10045.4.3.2').toString('hex')).toBe('06082a8648ce3d040302')
})
