import fc from 'fast-check'
import { stringify } from 'yaml'
import { applyPatches } from '../../../src/talos/config/patch/apply-patches.js'
import { schemaOf } from '../../../src/talos/config/patch/schema.js'
import { readConfig } from '../../../src/talos/config/read-config.js'
import { defineTarget } from '../target.js'
import { anyJson, damaged, damagedText, damages, yamlOf } from '../values.js'

const config = `version: v1alpha1
machine:
  type: worker
  token: abc.def
  sysctls: { net.core.somaxconn: "4096" }
  kubelet: { extraArgs: { v: "2" }, nodeIP: { validSubnets: [10.0.0.0/8] } }
  network:
    interfaces:
      - deviceSelector: { hardwareAddr: "02:00:00:00:00:01" }
        addresses: [10.0.10.11/24]
        vlans: [{ vlanId: 5, dhcp: true }]
  files: [{ path: /var/x, content: a, op: create, permissions: 0o644 }]
cluster: { controlPlane: { endpoint: "https://10.0.10.10:6443" }, network: { podSubnets: [10.244.0.0/16] } }
---
apiVersion: v1alpha1
kind: HostnameConfig
hostname: dev-wk-1
`
const keys = [
  'machine',
  'cluster',
  'network',
  'interfaces',
  'vlans',
  'vlanId',
  'kubelet',
  'extraArgs',
  'files',
  '$patch',
  'op',
  'path',
  'value',
  'from',
  'apiVersion',
  'kind',
  'name',
  'hostname',
  'sysctls',
  '<<',
]
const patch = {
  machine: {
    network: { interfaces: [{ interface: 'eth0', vlans: [{ vlanId: 5, mtu: 9000 }] }] },
    kubelet: { extraArgs: { v: '3' } },
    sysctls: { $patch: 'delete' },
  },
}
const operations = [
  { op: 'replace', path: '/machine/kubelet/extraArgs/v', value: '4' },
  { op: 'add', path: '/machine/files/-', value: {} },
  { op: 'move', from: '/machine/token', path: '/machine/type' },
]

export const patches = defineTarget({
  name: 'patches',
  share: 0.3,
  prepare: async () => {
    const documents = readConfig(config, 'config.yaml')
    return {
      inputs: fc.oneof(
        fc
          .tuple(fc.constantFrom<unknown>(patch, operations), damages(keys))
          .map(([whole, wounds]) => yamlOf(damaged(whole, wounds))),
        anyJson(keys).map((value) => yamlOf(value)),
        fc.constantFrom(stringify(patch), stringify(operations), config).chain(damagedText),
        fc.string({ unit: 'binary', maxLength: 60 }),
      ),
      read: (text) => applyPatches(documents, [{ source: 'patch.yaml', line: 1, text }], schemaOf(8, 14)),
    }
  },
})
