import { expect, test } from 'vitest'
import { changeSentences } from './change-sentences.js'
import type { FieldChange } from './diff.js'

function changed(path: string, before?: string, after?: string, document = 'v1alpha1'): FieldChange {
  const sides = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
  return { document, path, ...sides, needsReboot: false }
}

test('another address of the API is reported with what it means', () => {
  expect(
    changeSentences([
      changed('cluster.controlPlane.endpoint', 'https://10.0.10.5:6443', 'https://10.0.10.6:6443'),
      changed('machine.certSANs[0]', '"10.0.10.5"', '"10.0.10.6"'),
      changed('cluster.apiServer.certSANs[0]', '"10.0.10.5"', '"10.0.10.6"'),
      changed('', 'the document', undefined, 'Layer2VIPConfig 10.0.10.5'),
      changed('', undefined, 'the document', 'Layer2VIPConfig 10.0.10.6'),
    ]),
  ).toEqual([
    'API moves 10.0.10.5 -> 10.0.10.6: kubeconfigs with the old address stop working',
    'shared address of the API 10.0.10.5 -> 10.0.10.6',
    'names in the certificates of its APIs 10.0.10.5 -> 10.0.10.6',
  ])
})

test('what has no sentence of its own is named by its place, with old and new', () => {
  expect(changeSentences([changed('machine.features.rbac', 'false', 'true')])).toEqual([
    'Talos setting features: false -> true',
  ])
})

test('a kernel setting is named with its value', () => {
  expect(changeSentences([changed('machine.sysctls.vm.max_map_count', undefined, '"262144"')])).toEqual([
    'kernel settings (sysctl) vm.max_map_count + 262144',
  ])
})

test('long values and many are counted, and every change is in one sentence', () => {
  const many = Array.from({ length: 5 }, (_, index) =>
    changed(`machine.files[${index}].content`, undefined, `${index}`),
  )
  expect(changeSentences([...many, changed('machine.sysctls.kernel.x', '1', 'y'.repeat(50))])).toEqual([
    'kernel settings (sysctl): 1 field changes',
    'Talos setting files: 5 fields change',
  ])
})

test('no sentence has the path of a field', () => {
  const said = changeSentences([
    changed('machine.acceptedCAs[0].crt', undefined, '(secret)'),
    changed('accepted.publicKeys[0]', undefined, '(secret)', 'KubeServiceAccountConfig'),
    changed('cluster.allowSchedulingOnControlPlanes', undefined, 'true'),
    changed('ports.portSelector.ports[0]', undefined, '2379', 'NetworkRuleConfig etcd'),
    changed('ingress', undefined, 'block', 'NetworkDefaultActionConfig'),
    changed('machine.systemDiskEncryption.state', undefined, 'on'),
    changed('up', 'false', 'true', 'LinkConfig net0'),
    changed('debug', 'false', 'true'),
  ])
  expect(said).toEqual([
    'workloads on control planes + true',
    'firewall of the node: 2 rules change',
    'new keys and certificates of the cluster',
    'Talos setting system disk encryption: + on',
    'Talos setting link net0: false -> true',
    'Talos setting debug: false -> true',
  ])
})
