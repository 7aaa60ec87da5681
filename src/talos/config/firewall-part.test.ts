import { expect, test } from 'vitest'
import { isFirewallDocument, withoutRules, withRulesOf } from './firewall-part.js'

const machine = `version: v1alpha1
machine:
  files:
    - content: |
        ---
        kind: NetworkRuleConfig
`
const rule = (port: number) => `apiVersion: v1alpha1
kind: NetworkRuleConfig
name: one
portSelector:
  ports: [${port}]
`
const hostname = 'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n'

test('the firewall leaves a config without touching the rest, whatever texts it holds', () => {
  expect(withoutRules([machine, rule(1), hostname].join('---\n'))).toBe([machine, hostname].join('---\n'))
  expect(withoutRules(machine)).toBe(machine)
})

test('a config takes the firewall of another one in place of its own', () => {
  const other = [hostname, rule(2)].join('--- # of the other\n')
  expect(withRulesOf([machine, rule(1)].join('---\n'), other)).toBe([machine, rule(2)].join('---\n'))
  expect(withRulesOf([machine, rule(1)].join('---\n'), machine)).toBe(machine)
})

test.each([
  ['NetworkDefaultActionConfig', true],
  ['NetworkRuleConfig etcd', true],
  ['NetworkRuleConfigs', false],
  ['v1alpha1', false],
])('%s is a document of the firewall: %s', (title, isOne) => {
  expect(isFirewallDocument(title)).toBe(isOne)
})
