import { expect, test } from 'vitest'
import { ApiError } from '../api-error.js'
import { endpointsOf } from './endpoints.js'
import { verifyParameters } from './verify.js'

function complaints(pve: 8 | 9, given: Record<string, unknown>, path = '/nodes/{node}/qemu'): Record<string, string> {
  const endpoint = endpointsOf(pve).find((one) => one.method === 'POST' && one.path === path)
  if (endpoint === undefined) throw new Error(`${path} is not served`)
  try {
    verifyParameters(endpoint, { ...(path.includes('{node}') ? { node: 'pve1' } : {}), ...given })
    return {}
  } catch (error) {
    return error instanceof ApiError ? { ...error.errors } : {}
  }
}

test.each([
  { given: { vmid: 100, cores: 'two' }, errors: { cores: "type check ('integer') failed - got 'two'" } },
  { given: { vmid: 99 }, errors: { vmid: 'invalid format - value does not look like a valid VM ID\n' } },
  { given: { vmid: 100, onboot: 'yes' }, errors: { onboot: "type check ('boolean') failed - got 'yes'" } },
  { given: { vmid: 100, onboot: true, kvm: false, cores: 2 }, errors: {} },
  { given: {}, errors: { vmid: 'property is missing and it is not optional' } },
  {
    given: { vmid: 100, scsi31: 'local-lvm:1' },
    errors: { scsi31: 'property is not defined in schema and the schema does not allow additional properties' },
  },
  {
    given: { vmid: 100, net0: 'virtio,bridge=vmbr0,bridge=vmbr1' },
    errors: { net0: 'invalid format - duplicate key in comma-separated list property: bridge\n' },
  },
  {
    given: { vmid: 100, net0: 'virtio,bridge=vmbr0,tag=0' },
    errors: { net0: 'invalid format - format error\nnet0.tag: value must have a minimum value of 1\n' },
  },
  { given: { vmid: 100, scsi0: 'local-lvm:8,discard=on,ssd=yes', agent: 'enabled=on' }, errors: {} },
  {
    given: { vmid: 100, cpu: 'notacpu' },
    errors: { cpu: "invalid format - Built-in cputype 'notacpu' is not defined (missing 'custom-' prefix?)\n" },
  },
])('$given is answered with $errors', ({ given, errors }) => {
  expect(complaints(9, given)).toEqual(errors)
})

test.each([
  { pve: 8, text: "missing property - 'checksum' requires this property" },
  { pve: 9, text: "missing property required by 'checksum'" },
] as const)('$pve says of a checksum without its algorithm: $text', ({ pve, text }) => {
  const given = { storage: 'local', content: 'iso', filename: 'x.iso', url: 'http://x/x.iso', checksum: 'ab' }
  expect(complaints(pve, given, '/nodes/{node}/storage/{storage}/download-url')).toEqual({ 'checksum-algorithm': text })
})

const unknown = 'property is not defined in schema and the schema does not allow additional properties'
const missing = 'property is missing and it is not optional'

test.each([
  { given: { type: 'node-affinity', resources: 'vm:100', nodes: 'pve1:2,pve2', strict: 1 }, errors: {} },
  { given: { type: 'resource-affinity', resources: 'vm:100,vm:101', affinity: 'negative' }, errors: {} },
  { given: { type: 'node-affinity', resources: 'vm:100' }, errors: { nodes: missing } },
  {
    given: { type: 'resource-affinity', resources: 'vm:100', affinity: 'positive', nodes: 'pve1' },
    errors: { nodes: unknown },
  },
  { given: { resources: 'vm:100' }, errors: { type: missing } },
])('what an HA rule may have depends on its type: $given is answered with $errors', ({ given, errors }) => {
  expect(complaints(9, { rule: 'spread', ...given }, '/cluster/ha/rules')).toEqual(errors)
})
