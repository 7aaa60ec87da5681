import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, expect, test } from 'vitest'
import { formatBundle } from '../../src/secrets/bundle-file.js'
import { sealText } from '../../src/secrets/sealed-text.js'
import { aForeignMachine } from '../support/foreign-cluster.js'
import { aForeignEnvironment, type ForeignEnvironment } from '../support/foreign-environment.js'

let foreign: ForeignEnvironment
afterEach(() => foreign.program.close())

const machines = [aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker')]

test('a bundle that SOPS encrypted and the config of a control plane are ways in; that of a worker is none', async () => {
  foreign = await aForeignEnvironment(machines)
  const { program, bundle, configs } = foreign
  const at = (name: string) => join(program.folder, name)
  const identity = await generateX25519Identity()
  await mkdir(at('sops/age'), { recursive: true })
  await writeFile(at('sops/age/keys.txt'), `${identity}\n`, { mode: 0o600 })
  const env = { ...program.env, SOPS_AGE_RECIPIENTS: await identityToRecipient(identity) }
  const sealed = await sealText(formatBundle(bundle), at('talsecret.sops.yaml'), { env, notify: () => {} })
  expect(sealed).toContain('ENC[')
  await writeFile(at('talsecret.sops.yaml'), sealed)
  await writeFile(at('controlplane.yaml'), configs.get('talos-c1') ?? '')
  await writeFile(at('worker.yaml'), configs.get('talos-w2') ?? '')
  const adopt = (out: string, ...words: readonly string[]) =>
    program.run(['adopt', '--out', out, '--lab', '--strict', ...words])

  const bySecrets = ['--secrets', 'talsecret.sops.yaml', '--node', '10.0.10.71']
  expect(await adopt('by-secrets', ...bySecrets)).toMatchObject({ code: 0 })
  expect(await adopt('by-config', '--machine-config', 'controlplane.yaml')).toMatchObject({ code: 0 })
  expect(await foreign.file('by-config/cluster.yaml')).toBe(await foreign.file('by-secrets/cluster.yaml'))
  expect(foreign.changes()).toEqual([])

  const refused = await adopt('by-worker', '--machine-config', 'worker.yaml')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Give the config of a control plane') })
  expect(refused.stdout + refused.stderr).not.toContain(bundle.trustdinfo.token)
}, 300_000)
