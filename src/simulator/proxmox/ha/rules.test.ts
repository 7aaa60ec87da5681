import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

let lab: SmallLab
beforeEach(async () => {
  lab = await startSmallLab()
})
afterEach(() => lab.close())

test.each([
  {
    rule: { affinity: 'negative', resources: 'vm:100' },
    because: 'rule is ineffective as there are less than two resources',
  },
  {
    rule: { affinity: 'negative', resources: 'vm:100,vm:101,vm:102' },
    because: 'rule defines more resources than available nodes',
  },
  {
    rule: { affinity: 'negative', resources: 'vm:100,vm:101' },
    because: "rule shares two or more resources with 'together'",
  },
])('an HA rule that nobody could follow is refused: $because', async ({ rule, because }) => {
  const { api, task } = lab
  for (const vmid of [100, 101, 102]) {
    await task('POST', '/nodes/pve1/qemu', { vmid })
    await api('POST', '/cluster/ha/resources', { sid: `vm:${vmid}`, state: 'ignored' })
  }
  const together = { type: 'resource-affinity', affinity: 'positive', resources: 'vm:100,vm:101' }
  expect(await api('POST', '/cluster/ha/rules', { rule: 'together', ...together })).toMatchObject({ status: 200 })
  expect(await api('POST', '/cluster/ha/rules', { rule: 'apart', type: 'resource-affinity', ...rule })).toMatchObject({
    status: 400,
    reason: "Rule 'apart' is invalid.",
    errors: { resources: because },
  })
})

test('a VM that is destroyed with purge leaves HA and its rules; a rule for it alone goes too', async () => {
  const { api, task } = lab
  for (const vmid of [100, 101]) {
    await task('POST', '/nodes/pve1/qemu', { vmid })
    await api('POST', '/cluster/ha/resources', { sid: `vm:${vmid}`, state: 'ignored' })
  }
  const near = { type: 'node-affinity', nodes: 'pve1' }
  await api('POST', '/cluster/ha/rules', { rule: 'both', ...near, resources: 'vm:100,vm:101' })
  await api('POST', '/cluster/ha/rules', { rule: 'alone', ...near, resources: 'vm:100', disable: 1 })
  expect(await task('DELETE', '/nodes/pve1/qemu/100', { purge: 1 })).toBe('OK')
  expect((await api('GET', '/cluster/ha/rules')).data).toMatchObject([{ rule: 'both', resources: 'vm:101' }])
})
