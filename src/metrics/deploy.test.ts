import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { families } from './families.js'

const known = Object.keys(families).map((name) => `ichor_${name}`)
const namesIn = (text: string) => [...new Set(text.match(/ichor_[a-z_]+/g) ?? [])]

test.each([
  'deploy/prometheus/ichor.rules.yaml',
  'deploy/grafana/ichor.json',
  'tests/conformance/prometheus/rules-test.yaml',
])('%s asks only for what is measured', (file) => {
  expect(namesIn(readFileSync(file, 'utf8')).filter((name) => !known.includes(name))).toEqual([])
})

test('every alert says what happened and what to do', () => {
  const { groups } = parse(readFileSync('deploy/prometheus/ichor.rules.yaml', 'utf8'))
  const rules: { alert: string; annotations: { summary?: string; description?: string } }[] = groups.flatMap(
    ({ rules: own }: { rules: unknown[] }) => own,
  )
  const silent = rules.filter(({ annotations: { summary, description } }) => !summary || !description)
  expect(silent).toEqual([])
  expect(rules.length).toBeGreaterThan(10)
})

test('the page lists every metric', () => {
  const page = readFileSync('docs/observability.md', 'utf8')
  expect(known.filter((name) => !page.includes(`\`${name.replace('ichor_', '')}\``))).toEqual([])
})

/** Written again by `-u`. */
test('the objects for Prometheus Operator and Grafana are the rules and the dashboard, as they are', async () => {
  const metadata = { name: 'ichor', namespace: 'monitoring' }
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata,
    spec: parse(readFileSync('deploy/prometheus/ichor.rules.yaml', 'utf8')),
  }
  const dashboard = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, name: 'ichor-dashboard', labels: { grafana_dashboard: '1' } },
    data: { 'ichor.json': readFileSync('deploy/grafana/ichor.json', 'utf8') },
  }
  const text = [rule, dashboard].map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\n')
  await expect(text).toMatchFileSnapshot('../../deploy/monitoring/ichor.yaml')
})
