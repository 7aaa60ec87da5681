import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aSealer } from '../../tests/support/marks.js'
import { type Mark, readMark as read, writeMark as write } from './mark.js'

const mark: Mark = {
  cluster: '0123456789abcdef',
  node: 'dev-cp-1',
  role: 'controlplane',
  vmid: 2000,
  uuid: 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a',
  mac: '02:CA:F5:11:7F:D0',
  stage: 'made',
  spec: 'e3b0c442',
  image: 'local:import/talos-v1.13.9.qcow2',
  talos: 'v1.13.9',
  kubernetes: 'v1.34.1',
}

const readMark = (description: string | undefined) => read(description)?.mark
const writeMark = (notes: string, written: Mark) => write(notes, written, aSealer)

test.each([
  ['no notes', ''],
  ['notes', 'Ask Alice before touching this.\n\n* rack 4  \n'],
  ['notes with a code block of their own', '```\nqm start 2000\n```'],
  ['notes outside ASCII', 'Zürich ✓ 日本'],
])('a mark is read back from under %s', (_what, notes) => {
  const described = writeMark(notes, mark)
  expect(readMark(described)).toEqual(mark)
  expect(described.startsWith(notes)).toBe(true)
})

test('a new mark takes the place of the old one, and the notes around it stay byte for byte', () => {
  const described = `before\t\n${writeMark('', mark)}\nafter  `
  const next = { ...mark, stage: 'making', bootstrap: 'asked', more: { replace: 'asked' } } as const
  const changed = writeMark(described, next)
  expect(changed.startsWith('before\t\n```ichor')).toBe(true)
  expect(changed.endsWith('```\nafter  ')).toBe(true)
  expect(readMark(changed)).toEqual(next)
  expect(writeMark(changed, mark)).toBe(described)
})

test('any notes survive a mark and its replacement', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (notes) => {
      fc.pre(!notes.includes('```ichor') && !notes.includes('%0A'))
      const described = writeMark(notes, mark)
      expect(described.startsWith(notes)).toBe(true)
      expect(readMark(described)).toEqual(mark)
      expect(writeMark(described, { ...mark, spec: 'x' }).startsWith(notes)).toBe(true)
    }),
  )
})

test('what Proxmox does to a description does not harm the mark', () => {
  const described = writeMark('note', mark)
  expect(readMark(`${described}\n`.trimEnd())).toEqual(mark)
  expect(readMark(described.replaceAll('\n', '\r\n'))).toEqual(mark)
  expect(readMark(encodeURIComponent(described))).toEqual(mark)
})

test.each([
  ['nothing', undefined],
  ['notes only', 'hello'],
  ['a mark that lost its vmid', writeMark('', mark).replace(/vmid.*\n/, '')],
  ['a mark with an invalid line', writeMark('', mark).replace('stage: made', 'stage')],
  ['a mark without its end', writeMark('', mark).slice(0, -4)],
  ['a mark with two seals', writeMark('', mark).replace(/(seal: .*)\n/, '$1\n$1\n')],
  ['two marks', `${writeMark('', mark)}\n${writeMark('', mark)}`],
])('%s is no mark', (_what, description) => {
  expect(readMark(description)).toBeUndefined()
})

test('notes that leave no room for the mark are refused with the way out', () => {
  expect(() => writeMark('x'.repeat(8100), mark)).toThrow(/The notes of dev-cp-1 are too long/)
})

test('a field of a newer ichor is kept', () => {
  const newer = writeMark('', mark).replace('stage: made', 'stage: made\nfuture: yes')
  expect(readMark(newer)?.more).toEqual({ future: 'yes' })
  expect(readMark(writeMark(newer, { ...mark, more: { future: 'yes' } }))?.more).toEqual({ future: 'yes' })
})

test.each(['\u001b[1A\u001b[2K', 'dev cp', '-dev', 'x'.repeat(300), ''])(
  'a mark whose node is %j is invalid',
  (node) => {
    const described = writeMark('', mark).replace('node: dev-cp-1', `node: ${node}`)
    expect(readMark(described)).toBeUndefined()
  },
)
