import { expect, test } from 'vitest'
import { hasProbes, withoutProbes, withProbes } from './node-probes.js'

const own = 'apiVersion: v1alpha1\nkind: TCPProbeConfig\nname: gateway\nendpoint: 10.0.10.1:443\n'
const config = `version: v1alpha1\nmachine: {}\n---\n${own}`

test('probes come and go, and leave the config and the probes of its owner as they were', () => {
  const probing = withProbes(config, ['10.0.10.10:2380', '[fd00::1]:6443'])
  expect(probing).toContain('name: ichor-reach-1\n')
  expect(probing).toContain('endpoint: "[fd00::1]:6443"\n')
  expect([hasProbes(config), hasProbes(probing)]).toEqual([false, true])
  expect(withoutProbes(probing)).toBe(config)
  expect(withoutProbes(config)).toBe(config)
})
