import { generateIdentity, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { parseDocument } from 'yaml'
import { formatSecretsFile, parseSecretsFile } from '../../../src/secrets/bundle-file.js'
import { readImport } from '../../../src/secrets/import/read-import.js'
import { openSops } from '../../../src/secrets/sops/open-sops.js'
import { prepareSops, sealSops } from '../../../src/secrets/sops/seal-sops.js'
import { defaultSelection } from '../../../src/secrets/sops/selection.js'
import { aBundle } from '../../../src/talos/config/testdata/a-machine.js'
import { defineTarget } from '../target.js'
import { anyJson, damaged, damagedText, damages, yamlOf } from '../values.js'

const keys = [
  'cluster',
  'secrets',
  'certs',
  'trustdinfo',
  'ichor',
  'sops',
  'age',
  'enc',
  'recipient',
  'mac',
  'lastmodified',
  'version',
  'values',
  'os',
  'crt',
  'key',
  'unencrypted_suffix',
  'encrypted_regex',
]
const clear = formatSecretsFile({
  bundle: aBundle(),
  memory: { bootstrapped: true, contract: 'v1.13', values: { token: 'x' } },
})

export const secretsFiles = defineTarget({
  name: 'secrets-files',
  share: 0.2,
  prepare: async () => ({
    inputs: fc.oneof(
      damages(keys).map((wounds) => yamlOf(damaged(parseDocument(clear, { logLevel: 'error' }).toJS(), wounds))),
      damagedText(clear),
      anyJson(keys).map((value) => yamlOf(value)),
      anyJson([...keys, 'resources', 'instances', 'attributes', 'type', 'machine_secrets', 'version']).map((value) =>
        JSON.stringify(value),
      ),
    ),
    read: (text) => {
      const failures: unknown[] = []
      for (const read of [parseSecretsFile, readImport]) {
        try {
          read(text, 'secrets.yaml')
        } catch (thrown) {
          failures.push(thrown)
        }
      }
      // The one that is no error of ours, if there is one.
      throw failures.find((thrown) => !(thrown instanceof Error && 'exitCode' in thrown)) ?? failures[0]
    },
  }),
})

export const sops = defineTarget({
  name: 'sops',
  share: 0.05,
  prepare: async () => {
    const identity = await generateIdentity()
    const recipients = [await identityToRecipient(identity)]
    const document = parseDocument(clear, { intAsBigInt: true })
    const sealing = { recipients, selection: defaultSelection, macOnlyEncrypted: false }
    const sealed = sealSops(await prepareSops(document, sealing, 'secrets.yaml'), new Date(0), 'secrets.yaml')
    return {
      inputs: fc.oneof(
        damagedText(sealed),
        damages(keys).map((wounds) => yamlOf(damaged(parseDocument(sealed, { logLevel: 'error' }).toJS(), wounds))),
      ),
      read: (text) => openSops(text, [identity], 'secrets.yaml'),
    }
  },
})
