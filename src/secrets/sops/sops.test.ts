import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { recipientOf } from './age-keys.js'
import { openSops } from './open-sops.js'
import { prepareSops, sealSops } from './seal-sops.js'
import { defaultSelection, type Selection } from './selection.js'
import { yamlForm } from './sops-document.js'

const testdata = (name: string) => readFileSync(new URL(`testdata/${name}`, import.meta.url), 'utf8')
/** Created for this test only. */
const key = /AGE-SECRET-KEY-\w+/.exec(testdata('age-key.txt'))?.[0] ?? ''
const now = new Date('2026-11-15T12:00:00Z')
let recipient: string
beforeAll(async () => {
  recipient = await recipientOf(key)
})

async function seal(text: string, selection: Selection = defaultSelection, macOnlyEncrypted = false): Promise<string> {
  const document = parseDocument(text, { intAsBigInt: true })
  return sealSops(await prepareSops(document, { recipients: [recipient], selection, macOnlyEncrypted }, 'x'), now, 'x')
}
const openText = async (text: string) => (await openSops(text, [key], 'x')).document.toString(yamlForm)

test('a file written by sops is opened, with every kind of value and comment', async () => {
  const text = await openText(testdata('by-sops.yaml'))
  expect(parseDocument(text).toJS()).toEqual({
    cluster: { id: 'abc', secret: 's3cret' },
    ...{ empty: '', number: 42, big: Number('12345678901234567'), float: 1.5, exp: 1e21, yes: true, no: false },
    nothing: null,
    list: ['one', 2, { key: 'v', other: 'w' }],
    nested: { deep: { x: 1 } },
    multi: 'line # not a comment\ntwo\n',
    ...{ quoted: '1', clear_unencrypted: 'visible', flow: { a: 1, b: ['x', 'y'] } },
  })
  const comments = ['first comment', 'second line', 'third after blank', 'before id', 'inline id', 'end of cluster']
  const inLists = ['in list', 'inline one', 'before map', 'inline v', 'in item', 'list end', 'beside key']
  for (const comment of [...comments, ...inLists, 'deep comment', 'inline clear', 'the end']) {
    expect(text).toContain(`# ${comment}\n`)
  }
  expect(text).not.toContain('ENC[')
})

const sample = `# top
a:
    # inside
    b: text # beside
    c: 1
    d: 1.5
    e: true
    f: ""
    g: null
list:
    # in a list
    - x
    - y: z
# end
`

test('values, types and comments survive being sealed and opened', async () => {
  const sealed = await seal(sample)
  for (const clear of ['text', 'inside', 'beside', 'end', 'top', 'in a list']) expect(sealed).not.toContain(clear)
  expect((await openText(sealed)).replace(/\n+# end/, '\n# end')).toBe(sample)
})

test('sealed again without a change, only the time and the seal differ', async () => {
  const first = await seal(sample)
  const again = sealSops(await openSops(first, [key], 'x'), new Date('2027-01-01T00:00:00Z'), 'x')
  const linesThatDiffer = again.split('\n').filter((line) => !first.split('\n').includes(line))
  expect(linesThatDiffer.map((line) => line.trim().split(':')[0])).toEqual(['lastmodified', 'mac'])
})

test.each<[string, Selection, string]>([
  ['a suffix that stays clear', { unencrypted_suffix: '_clear' }, 'a_clear: 1'],
  ['a suffix that is encrypted', { encrypted_suffix: '_secret' }, 'b: 2'],
  ['an expression that stays clear', { unencrypted_regex: '^(c|d)$' }, 'c: 3'],
  ['an expression that is encrypted', { encrypted_regex: '(?i)^B_SECRET$' }, 'a_clear: 1'],
])('%s is honoured, and covered by the seal', async (_, selection, clear) => {
  const sealed = await seal('a_clear: 1\nb: 2\nb_secret: x\nc: 3\n', selection)
  expect(sealed).toContain(clear)
  expect(parseDocument(await openText(sealed)).toJS()).toEqual({ a_clear: 1, b: 2, b_secret: 'x', c: 3 })
  await expect(openText(sealed.replace(clear, `${clear}9`))).rejects.toThrow('The file was changed')
})

test('a seal over the encrypted values only lets clear ones be edited', async () => {
  const sealed = await seal('a: 1\nb: 2\n', { encrypted_regex: '^b$' }, true)
  expect(parseDocument(await openText(sealed.replace('a: 1', 'a: 7'))).toJS()).toEqual({ a: 7, b: 2 })
})

const sealedLine = (text: string, name: string) => new RegExp(`^\\s*${name}: (ENC.*)$`, 'm').exec(text)?.[1] ?? ''

test.each<[string, (text: string) => string, string]>([
  [
    'a changed value',
    (text) => text.replace(/ b: ENC\[AES256_GCM,data:./, ' b: ENC[AES256_GCM,data:_'),
    'a.b was changed',
  ],
  [
    'a value put in another place',
    (text) => text.replace(sealedLine(text, 'c'), sealedLine(text, 'b')),
    'a.c was changed',
  ],
  ['a removed value', (text) => text.replace(/^ *c: .*\n/m, ''), 'The file was changed'],
  ['a clear value in place of a sealed one', (text) => text.replace(sealedLine(text, 'b'), 'evil'), 'a.b was changed'],
  ['another time', (text) => text.replace('2026-11-15T12', '2026-11-15T13'), 'The file was changed'],
  ['no seal', (text) => text.replace(/^ *mac: .*\n/m, ''), 'SOPS file is incomplete'],
  ['no metadata', (text) => text.slice(0, text.indexOf('sops:')), 'SOPS file is incomplete'],
  ['half a file', (text) => text.slice(0, text.length / 2), 'SOPS file is incomplete'],
  ['no age key', (text) => text.replace('age:', 'pgp:'), 'not encrypted for a single age key'],
  [
    'an invalid age key',
    (text) => text.replace(/age:\n(\s+)- recipient: .*\n/, 'age:\n$1- other: x\n'),
    'not encrypted for a single age key',
  ],
  ['an alias that leads nowhere', (text) => text.replace(sealedLine(text, 'b'), '*gone'), 'SOPS file is incomplete'],
])('%s is found out', async (_, change, problem) => {
  const sealed = await seal(sample)
  await expect(openText(change(sealed))).rejects.toThrow(problem)
})

test('a YAML alias is refused rather than left in the clear', async () => {
  await expect(seal('a: &x secret\nb: *x\n')).rejects.toThrow('b is a YAML alias')
})

test('numbers are sealed in the digits that Go writes', async () => {
  const sealed = await seal('small: 1.5e-7\nbig: 1.5e+22\nwhole: 12345678901234567890\n')
  expect(parseDocument(await openText(sealed), { intAsBigInt: true }).toJS()).toEqual({
    small: 1.5e-7,
    big: 1.5e22,
    whole: 12345678901234567890n,
  })
})
