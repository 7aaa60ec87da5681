import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAgeKeys, makeAgeKey, newAgeKey, recipientOf, usualPlace } from './age-keys.js'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ichor-age-'))
})
afterEach(() => rm(home, { recursive: true }))

test.each([
  ['linux', { HOME: '/h' }, '/h/.config/sops/age/keys.txt'],
  ['linux', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, '/x/sops/age/keys.txt'],
  ['darwin', { HOME: '/h' }, '/h/Library/Application Support/sops/age/keys.txt'],
  ['darwin', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, '/x/sops/age/keys.txt'],
  ['win32', { HOME: '/h', APPDATA: '/a' }, '/a/sops/age/keys.txt'],
] as const)('on %s with %j, sops looks in %s', (platform, env, path) => {
  expect(usualPlace(env, platform)).toBe(path)
})

test('keys come from all three places that sops knows, each once', async () => {
  const [one, two, three] = await Promise.all(
    ['a', 'b', 'c'].map((name) => makeAgeKey({ HOME: join(home, name) }, () => {})),
  )
  await writeFile(join(home, 'keys'), `# mine\n${two}\n\n${one}\n`)
  const env = { SOPS_AGE_KEY: `${one} `, SOPS_AGE_KEY_FILE: join(home, 'keys'), HOME: join(home, 'c') }
  expect(await findAgeKeys(env)).toEqual([one, two, three])
})

test('the notice about a new key has its path', async () => {
  const notices: string[] = []
  await makeAgeKey({ HOME: home, XDG_CONFIG_HOME: '' }, (text) => notices.push(text))
  expect(notices.map(newAgeKey)).toEqual([usualPlace({ HOME: home })])
})

test('a key file that is named and missing is an error, not a reason to make another key', async () => {
  await expect(findAgeKeys({ HOME: home, SOPS_AGE_KEY_FILE: join(home, 'gone') })).rejects.toMatchObject({
    where: join(home, 'gone'),
  })
})

test('of two runs that make a key at once, both use the same', async () => {
  const reported: string[] = []
  const [one, other] = await Promise.all([1, 2].map(() => makeAgeKey({ HOME: home }, (text) => reported.push(text))))
  expect(one).toBe(other)
  expect(reported).toHaveLength(1)
  expect(reported[0]).not.toContain('AGE-SECRET-KEY')
})

test('a recipient is reported, and belongs to the key', async () => {
  expect(await recipientOf(await makeAgeKey({ HOME: home }, () => {}))).toMatch(/^age1[a-z0-9]{58}$/)
})
