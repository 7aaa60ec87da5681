import { expect, test } from 'vitest'
import { systemEncryption } from './system-encryption.js'

const spec = '{ provider: luks2, keys: [{ slot: 0, nodeID: {} }] }'
const old = `machine:\n  systemDiskEncryption:\n    ephemeral: ${spec}\n`
const split = `machine: {}\n---\napiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\nencryption: ${spec}\n`

test('both styles of a config say the same; none and another key say something else', () => {
  const read = (text: string) => systemEncryption(text, 'a test')
  expect(read(split)).toBe(read(old))
  expect(read(old.replace('nodeID', 'tpm'))).not.toBe(read(old))
  expect(read('machine: {}\n---\nkind: VolumeConfig\nname: EPHEMERAL\nmount: { secure: true }\n')).toBe('{}')
})
