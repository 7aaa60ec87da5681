import { isIP } from 'node:net'
import { expect, test } from 'vitest'
import { addressAt, contains, familyOf, overlaps, parseAddress, parseNetwork } from './address.js'

const network = (text: string) => {
  const parsed = parseNetwork(text)
  if (parsed === undefined) throw new Error(`${text} is not a network`)
  return parsed
}

test.each([
  ['10.0.10.0/24', 11, '10.0.10.11'],
  ['10.0.10.77/24', 10, '10.0.10.10'],
  ['10.0.0.0/30', 4, undefined],
  ['fd00::/64', 16, 'fd00::10'],
])('%s +%i is %s', (cidr, offset, expected) => {
  expect(addressAt(network(cidr), offset)).toBe(expected)
})

test.each(['10.0.10', '10.0.10.0', '10.0.10.0/33', '10.0.10.0/', '10.0.10.0/24/8', 'fd00::/129', 'x/24', ''])(
  '%j is not a network',
  (text) => {
    expect(parseNetwork(text)).toBeUndefined()
  },
)

test.each(['::', '::1', 'fd00::1:0:0:1', '2001:db8::ffff', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1'])(
  '%s survives parsing and printing as the same number',
  (text) => {
    const parsed = parseAddress(text)
    if (parsed === undefined) throw new Error('not parsed')
    const alone = { family: parsed.family, base: parsed.value, prefix: parsed.family === 4 ? 32 : 128 }
    expect(parseAddress(addressAt(alone, 0) ?? '')).toEqual(parsed)
  },
)

test('networks overlap when they share an address, and never across families', () => {
  expect(overlaps(network('10.96.0.0/12'), network('10.100.0.0/16'))).toBe(true)
  expect(overlaps(network('10.244.0.0/16'), network('10.96.0.0/12'))).toBe(false)
  expect(overlaps(network('::/0'), network('10.0.0.0/8'))).toBe(false)
  expect(contains(network('10.0.10.0/24'), '10.0.11.1')).toBe(false)
})

test('the family of a text is the one that Node sees in it', () => {
  const parts = [
    '::',
    ':',
    '.',
    '0',
    '1',
    'a',
    'F',
    'g',
    '00',
    '255',
    '256',
    '01',
    'ffff',
    '10000',
    '10.0.0.1',
    '%',
    '%eth0',
    '-',
    ' ',
    '',
  ]
  let seed = 7
  const pick = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return parts[seed % parts.length] ?? ''
  }
  const addresses = [
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '1::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:10.0.0.1',
    '10.0.0.1::',
    '::%1',
  ]
  const texts = Array.from({ length: 20_000 }, (_, index) => Array.from({ length: index % 9 }, pick).join(''))
  const colons = Array.from({ length: 20_000 }, (_, index) => Array.from({ length: index % 10 }, pick).join(':'))
  const all = [...addresses, ...texts, ...colons]
  expect(all.filter((text) => (familyOf(text) ?? 0) !== isIP(text))).toEqual([])
  expect(all.filter((text) => isIP(text) > 0).length).toBeGreaterThan(100)
})
