import { beforeAll, expect, test } from 'vitest'
import type { KeyMaterial, RotationState } from '../cluster/rotation.js'
import { createCa } from '../pki/ca.js'
import type { SecretsFile } from './bundle.js'
import { formatSecretsFile, parseSecretsFile } from './bundle-file.js'
import { generateBundle } from './generate.js'
import { advanceRotation, beginRotation, changedFile, plannedFile } from './rotation.js'

let file: SecretsFile
let fresh: Required<KeyMaterial>
const run = 'run-1'
const author = { run, by: 'ada@desk', at: '2026-01-31T12:00:00.000Z' }

beforeAll(async () => {
  file = { bundle: await generateBundle('v1.6'), memory: { bootstrapped: true, values: {} } }
  const { crt, key } = await createCa('os')
  fresh = { crt: Buffer.from(crt).toString('base64'), key: Buffer.from(key).toString('base64') }
})

function phases(): SecretsFile[] {
  const files = [changedFile(file, beginRotation(file, { what: 'talos-ca', after: 0, ...author }, fresh))]
  for (const _phase of ['issue', 'drop', 'done']) {
    const last = files.at(-1) ?? file
    files.push(changedFile(last, advanceRotation(last, author)))
  }
  return files
}

test('the new key signs only when every node accepts it, and the old one is accepted until every node signs with the new', () => {
  const { os: old } = file.bundle.certs
  expect(phases().map(({ bundle, memory }) => [memory.rotation?.phase, bundle.certs.os, bundle.accepted?.os])).toEqual([
    ['accept', old, [fresh.crt]],
    ['issue', fresh, [old.crt]],
    ['drop', fresh, undefined],
    ['done', fresh, undefined],
  ])
})

test('no key is lost before the end, and none of the old one is left after it', () => {
  const texts = phases().map(formatSecretsFile)
  const { key } = file.bundle.certs.os
  expect(texts.map((text) => [text.includes(key), text.includes(fresh.key)])).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [false, true],
  ])
})

test('a file in every phase survives being written and read, with what is accepted', () => {
  for (const one of phases()) expect(parseSecretsFile(formatSecretsFile(one), 'x')).toEqual(one)
})

test('the id of the cluster and the key of the seal never change', () => {
  for (const { bundle } of phases()) expect(bundle.cluster).toEqual(file.bundle.cluster)
})

test('a file that lost the second key is not used', () => {
  const { rotation, ...memory } = phases()[1]?.memory ?? file.memory
  const { other: _, ...cut } = rotation ?? { what: 'talos-ca', phase: 'issue', run }
  const text = formatSecretsFile({ ...file, memory: { ...memory, rotation: cut } })
  expect(() => parseSecretsFile(text, 'x')).toThrow('ichor.rotation.other.crt is not a certificate')
})

test.each(['accept', 'issue', 'drop', 'done'] as const)('a plan that is in %s sees the keys of that phase', (phase) => {
  const state: RotationState = { what: 'talos-ca', phase, run }
  const at = ['accept', 'issue', 'drop', 'done'].indexOf(phase)
  const planned = plannedFile(file, state, fresh)
  const rotated = { 'talos-ca': { generation: at + 1, phase, by: author.by, at: author.at } }
  expect({ ...planned, memory: { ...planned.memory, rotated } }).toEqual(phases()[at])
})

test.each(['accept', 'issue', 'drop', 'done'] as const)(
  'a plan that rotates the same key once more sees the keys of %s, not those of the first time',
  (phase) => {
    const once = phases().at(-1) ?? file
    const newest = { crt: fresh.crt, key: Buffer.from('the newest').toString('base64') }
    const planned = plannedFile(once, { what: 'talos-ca', phase, run: 'run-2' }, newest)
    expect(planned.memory.rotation).toMatchObject({ phase, run: 'run-2' })
    expect(planned.bundle.certs.os.key).toBe(phase === 'accept' ? fresh.key : newest.key)
    const at = ['accept', 'issue', 'drop', 'done'].indexOf(phase)
    expect(planned.memory.rotated?.['talos-ca']?.generation).toBe(4 + at + 1)
  },
)

test('every change of a key has a generation of its own, above all that the cluster has recorded', () => {
  const again = { what: 'kubernetes-ca', after: 2, ...author } as const
  const last = changedFile(file, beginRotation(phases().at(-1) ?? file, again, fresh))
  expect(last.memory.rotated).toEqual({
    'talos-ca': { generation: 4, phase: 'done', by: 'ada@desk', at: author.at },
    'kubernetes-ca': { generation: 5, phase: 'accept', by: 'ada@desk', at: author.at },
  })
  const restored = changedFile(file, beginRotation(file, { ...again, after: 9 }, fresh))
  expect(restored.memory.rotated?.['kubernetes-ca']?.generation).toBe(10)
})

test('the key of etcd changes places with the new one, and is kept until every Secret was written again', () => {
  const { secretboxencryptionsecret: old } = file.bundle.secrets
  const key = Buffer.alloc(32, 7).toString('base64')
  const what = 'etcd-encryption-key'
  const seen = (['accept', 'issue', 'renew', 'drop', 'done'] as const).map((phase) => {
    const { bundle, memory } = plannedFile(file, { what, phase, run }, { key })
    return [memory.rotation?.phase, bundle.secrets.secretboxencryptionsecret, bundle.accepted?.secretbox]
  })
  expect(seen).toEqual([
    ['accept', old, [key]],
    ['issue', key, [old]],
    ['renew', key, [old]],
    ['drop', key, undefined],
    ['done', key, undefined],
  ])
})

test('of the service account key only the public half of the other one is in configs', () => {
  const { bundle } = plannedFile(
    file,
    { what: 'service-account-key', phase: 'issue', run },
    file.bundle.certs.k8sserviceaccount,
  )
  const [accepted = ''] = bundle.accepted?.serviceAccount ?? []
  expect(Buffer.from(accepted, 'base64').toString()).toMatch(/^-----BEGIN PUBLIC KEY-----/)
})
