import { expect, test } from 'vitest'
import type { AddonContext, AddonSettings } from '../addon.js'
import { vector } from './vector.js'

interface Pipeline {
  readonly sources: Record<string, object>
  readonly sinks: Record<string, { inputs: string[]; auth?: object; labels?: Record<string, string> }>
}

const context: AddonContext = {
  clusterName: 'dev',
  kubernetesVersion: 'v1.36.3',
  loadBalancer: [],
  controlPlanes: 1,
  workers: 1,
  proxmox: { endpoint: 'https://pve1:8006', insecure: false, region: 'dev', datastore: 'local-lvm' },
  secrets: {},
}

function installed(options: Readonly<Record<string, unknown>>, secrets: Readonly<Record<string, string>> = {}) {
  const settings: AddonSettings = { values: {}, managed_by: 'ichor', delivery: 'job', ...options }
  const { source, before = [] } = vector.install({
    settings,
    context: { ...context, secrets },
    isMonitored: false,
    namespace: 'vector',
    version: '1',
  })
  if (source.kind !== 'chart') throw new Error('not a chart')
  return { settings, before, values: source.values, pipeline: source.values.customConfig as Pipeline }
}

test('pods, Talos services and the kernel go to the Loki of the cluster, and machines send to the Vector on them', () => {
  const { settings, pipeline } = installed({})
  expect(Object.keys(pipeline.sources)).toEqual(['pods', 'talos'])
  expect(pipeline.sinks).toMatchObject({
    loki: { endpoint: 'http://loki.logging.svc:3100', inputs: ['pod_fields', 'talos_fields'] },
  })
  expect(pipeline.sinks.loki?.labels?.app).toBe('{{ `{{ app }}` }}')
  expect(vector.machines?.(settings)).toEqual({ logDestinations: ['tcp://127.0.0.1:6051/'] })
})

test('with Elasticsearch nothing goes to Loki, and the password is no value', () => {
  const options = { elasticsearch: 'https://logs.example:9200', elasticsearch_user: 'ichor', talos: false }
  const { settings, pipeline, before, values } = installed(options, { 'vector.elasticsearch_password': 'secret-word' })
  expect(Object.keys(pipeline.sinks)).toEqual(['elasticsearch'])
  expect(pipeline.sinks.elasticsearch).toMatchObject({ inputs: ['pod_fields'], auth: { user: 'ichor' } })
  expect(JSON.stringify(values)).not.toContain('secret-word')
  expect(before.map(({ kind }) => kind)).toEqual(['Namespace', 'Secret'])
  expect(vector.machines?.(settings)).toEqual({})
})
