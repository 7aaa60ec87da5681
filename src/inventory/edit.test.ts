import { cp, lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { editsBetween, withChanges, writeEdits } from './edit.js'
import { removeFromText, setInText } from './edit-text.js'
import { readEnvironment } from './files.js'

const text = `# The cluster of the team.
cluster_name: dev # short
worker_count: 3   # three are enough

network:
  # ours since 2019
  cidr: 10.0.10.0/24
  dns: [10.0.10.1, 10.0.10.2]

sizing:
  worker: { cpu: 4, ram: 8G } # template 999
tags:
  - one # first
  - two
# the end
`

test.each([
  ['a number', ['worker_count'], 5, 'worker_count: 3   #', 'worker_count: 5   #'],
  ['a text that needs quotes', ['cluster_name'], 'true', 'dev # short', '"true" # short'],
  ['a list', ['network', 'dns'], ['10.0.10.9'], '[10.0.10.1, 10.0.10.2]', '[ 10.0.10.9 ]'],
  ['a key of a mapping in one line', ['sizing', 'worker', 'ram'], '16G', 'ram: 8G }', 'ram: 16G }'],
  ['a new key of a mapping in one line', ['sizing', 'worker', 'disk'], '60G', 'ram: 8G }', 'ram: 8G, disk: 60G }'],
  ['a new key of a group', ['network', 'vip'], '10.0.10.5', '10.0.10.2]\n', '10.0.10.2]\n  vip: 10.0.10.5\n'],
  ['an entry of a list', ['tags', 0], 'uno', '- one #', '- uno #'],
  ['a new entry of a list', ['tags', 2], 'three', '- two\n', '- two\n  - three\n'],
  [
    'a group that was not there',
    ['placement', 'avoid'],
    ['pve1'],
    '# the end\n',
    'placement:\n  avoid:\n    - pve1\n# the end\n',
  ],
] as const)('%s changes and nothing else does', (_, path, value, before, after) => {
  expect(setInText(text, path, value)).toBe(text.replace(before, after))
})

test.each([
  ['a line', ['worker_count'], 'worker_count: 3   # three are enough\n', ''],
  ['a key of a mapping in one line', ['sizing', 'worker', 'ram'], '{ cpu: 4, ram: 8G }', '{ cpu: 4 }'],
  ['an entry of a list', ['tags', 1], '  - two\n', ''],
  ['a whole group', ['network'], text.slice(text.indexOf('network:'), text.indexOf('\nsizing')), ''],
] as const)('%s goes and nothing else does', (_, path, before, after) => {
  expect(removeFromText(text, path)).toBe(text.replace(before, after))
})

test('an empty key and an empty file can be filled', () => {
  expect(setInText('network:\nvm: {}\n', ['network', 'vip'], '10.0.0.5')).toBe('network: { vip: 10.0.0.5 }\nvm: {}\n')
  expect(setInText('# nothing yet\n', ['cluster_name'], 'dev')).toBe('# nothing yet\ncluster_name: dev\n')
})

test('a value lands in the file that it belongs to, which is replaced as a whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-edit-'))
  try {
    await cp(join(import.meta.dirname, 'testdata/verbatim'), folder, { recursive: true })
    const before = await readEnvironment(join(folder, 'cluster.yaml'))
    const changes = [
      { path: 'workers[0].ram', value: 16384 },
      { path: 'placement.avoid', value: ['pve9'] },
      { path: 'workers[0].cpu', remove: true as const },
    ]
    await writeEdits(editsBetween(before, withChanges(before, changes)))
    expect(await readFile(join(folder, 'nodes.yaml'), 'utf8')).toContain('    ip: 10.0.10.21\n    ram: 16384\n')
    expect(parse(await readFile(join(folder, 'cluster.yaml'), 'utf8'))).toMatchObject({
      placement: { avoid: ['pve9'] },
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('an inventory that is a link stays one: the real file is changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-link-'))
  const [real, file] = [join(folder, 'real.yaml'), join(folder, 'cluster.yaml')]
  try {
    await writeFile(real, 'worker_count: 1\n', { mode: 0o640 })
    await symlink('real.yaml', file)
    await writeEdits([{ file, before: 'worker_count: 1\n', after: 'worker_count: 2\n' }])
    expect(await readFile(real, 'utf8')).toBe('worker_count: 2\n')
    expect((await lstat(file)).isSymbolicLink()).toBe(true)
    expect((await stat(real)).mode & 0o777).toBe(0o640)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('whatever is set: it is there afterwards, and every comment and every other value stayed', () => {
  const places = [
    ['worker_count'],
    ['network', 'cidr'],
    ['network', 'dns'],
    ['sizing', 'worker', 'cpu'],
    ['sizing', 'worker'],
    ['tags'],
    ['tags', 1],
    ['new'],
    ['network', 'new', 'deep'],
    ['network'],
  ]
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string(), { minKeys: 1, maxKeys: 3 }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...places), value, (path, drawn) => {
      const edited = setInText(text, path, drawn)
      const expected = parse(text) as Record<string, unknown>
      const parent = path.slice(0, -1).reduce<Record<string, unknown>>((data, key) => {
        data[key] ??= {}
        return data[key] as Record<string, unknown>
      }, expected)
      parent[path.at(-1) ?? ''] = drawn
      expect(parse(edited)).toEqual(expected)
      if (path[0] === 'worker_count') expect(edited).toContain('# three are enough')
      expect(edited).toContain('# the end')
    }),
    { numRuns: 200 },
  )
})
