import { beforeAll, expect, test } from 'vitest'
import { renderConfig } from '../../talos/config/render.js'
import { aMachine } from '../../talos/config/testdata/a-machine.js'
import type { SecretsBundle } from '../bundle.js'
import { formatBundle } from '../bundle-file.js'
import { generateBundle } from '../generate.js'
import { readImport } from './read-import.js'

let bundle: SecretsBundle
beforeAll(async () => {
  bundle = await generateBundle('v1.6')
})

test('a bundle is read as it is', () => {
  expect(readImport(formatBundle(bundle), 'x').bundle).toEqual(bundle)
})

test.each(['v1.8', 'v1.11', 'v1.13', 'v1.14'])(
  'the config of a control plane of contract %s gives its bundle back',
  (contract) => {
    const text = renderConfig(aMachine({ contract, role: 'controlplane' }), bundle)
    const found = readImport(text, 'controlplane.yaml')
    expect(found.bundle).toEqual(bundle)
    expect(found.memory.bootstrapped).toBe(true)
  },
)

test.each(['v1.13', 'v1.14'])(
  'the config of a worker of contract %s is not enough, and the message says so',
  (contract) => {
    const text = renderConfig(aMachine({ contract, role: 'worker' }), bundle)
    expect(() => readImport(text, 'worker.yaml')).toThrow(/certs\.k8s\.key is not a private key/)
  },
)

const state = (...resources: object[]) => JSON.stringify({ version: 4, resources })
const resource = (name: string, instance: object = {}) => ({
  mode: 'managed',
  type: 'talos_machine_secrets',
  name,
  instances: [{ attributes: { id: 'machine_secrets', machine_secrets: machineSecrets() }, ...instance }],
})

/** As the Talos provider stores them. */
function machineSecrets() {
  const { certs, cluster, secrets, trustdinfo } = bundle
  const pair = ({ crt, key }: { crt: string; key: string }) => ({ cert: crt, key })
  return {
    certs: {
      etcd: pair(certs.etcd),
      k8s: pair(certs.k8s),
      k8s_aggregator: pair(certs.k8saggregator),
      k8s_serviceaccount: certs.k8sserviceaccount,
      os: pair(certs.os),
    },
    cluster,
    secrets: {
      aescbc_encryption_secret: null,
      bootstrap_token: secrets.bootstraptoken,
      secretbox_encryption_secret: secrets.secretboxencryptionsecret,
    },
    trustdinfo,
  }
}

test('Terraform state gives the bundle of its only cluster', () => {
  expect(readImport(state({ type: 'other', name: 'x' }, resource('this')), 'tfstate').bundle).toEqual(bundle)
})

test('of several clusters in a state, the wanted one is chosen by its address', () => {
  const text = state(resource('a'), { ...resource('b', { index_key: 'dev' }), module: 'module.talos' })
  expect(() => readImport(text, 'tfstate')).toThrow(
    'talos_machine_secrets.a, module.talos.talos_machine_secrets.b["dev"]',
  )
  const cluster = 'module.talos.talos_machine_secrets.b["dev"]'
  expect(readImport(text, 'tfstate', { cluster }).bundle).toEqual(bundle)
  expect(() => readImport(text, 'tfstate', { cluster: 'c' })).toThrow('This state holds no c')
})

test.each([
  ['state without Talos', () => state({ type: 'null_resource', name: 'x' }), 'no talos_machine_secrets'],
  ['half a state', () => state(resource('a')).slice(0, 400), 'cut off or changed'],
  ['something else', () => 'kind: Secret\n', 'neither a secrets bundle'],
  ['nothing', () => '', 'neither a secrets bundle'],
  ['half a config', () => 'machine: {token: "x\n', 'not YAML'],
  ['a config with an alias that leads nowhere', () => 'machine: {token: *s3cret }\n', 'not YAML'],
  ['state whose resources are no list', () => '{"resources": "none"}', 'no talos_machine_secrets'],
  [
    'state with nothing in it',
    () => '{"resources": [null, {"type": "talos_machine_secrets"}]}',
    'no talos_machine_secrets',
  ],
])('%s is refused', (_, text, problem) => {
  expect(() => readImport(text(), 'file')).toThrow(problem)
})
