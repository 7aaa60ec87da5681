import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { fake } from '../../tests/support/fake.js'
import type { SecretsFile } from '../secrets/bundle.js'
import type { Context } from './frame/context.js'
import { removeSecrets } from './remove-secrets.js'

function aTerminal(answer: string): Context {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.end(`${answer}\n`)
  return fake<Context>({ stdin, stderr: new PassThrough(), signal: AbortSignal.timeout(5000) })
}

function someSecrets(bootstrapped: boolean) {
  const removed: string[] = []
  const file = { memory: { bootstrapped } } as SecretsFile
  return {
    removed,
    location: 'secrets.sops.yaml',
    find: async () => file,
    remove: async () => void removed.push('secrets.sops.yaml'),
  }
}

test('secrets of a cluster that lives elsewhere are never removed, not even with --yes', async () => {
  const secrets = someSecrets(true)
  const removal = removeSecrets({ outcome: 'nothing-to-do', yes: true, cluster: 'dev' }, secrets, aTerminal(''))
  await expect(removal).rejects.toMatchObject({
    exitCode: 3,
    message: 'No VM of dev was found on this Proxmox, but according to its secrets it still exists.',
  })
  expect(secrets.removed).toEqual([])
})

test.each([
  { outcome: 'nothing-to-do', yes: false, typed: 'dve', goes: false },
  { outcome: 'nothing-to-do', yes: false, typed: 'dev', goes: true },
  { outcome: 'nothing-to-do', yes: true, typed: '', goes: true },
  { outcome: 'done', yes: false, typed: '', goes: true },
] as const)('$outcome, --yes $yes, typed "$typed": removed $goes', async ({ outcome, yes, typed, goes }) => {
  const secrets = someSecrets(false)
  expect(await removeSecrets({ outcome, yes, cluster: 'dev' }, secrets, aTerminal(typed))).toBe(goes)
  expect(secrets.removed).toHaveLength(goes ? 1 : 0)
})
