import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { exportedHtml } from './exported-html.js'
import type { ExportedPage } from './state.js'
import { aSnapshot } from './testing/snapshots.js'

const evil = '</script><script>alert(1)</script><!--<script><img src=x onerror=alert(1)>'
const cluster = {
  name: evil,
  options: evil,
  snapshot: aSnapshot({ cluster: evil, drift: [evil] }),
  failure: { problem: evil, where: evil, fix: evil, since: '' },
  missed: 0,
  looks: 1,
  every_ms: 0,
  history: [],
  runs: [],
}
const page: ExportedPage = {
  state: { version: 1, ichor_version: '0', at: '', may_change: false, clusters: [cluster], commands: [] },
  plans: [],
  runs: [{ [evil]: [] }],
}

test('an end tag or a comment in what was seen, or in the script, ends neither, and nothing else is let run', () => {
  const html = exportedHtml(page, { script: `show("${evil}")`, style: 'a{}' })
  const scripts = [...html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)]
  expect(scripts.map(([, attributes = '']) => attributes)).toEqual([
    ' type="application/json" id="exported"',
    ' type="module"',
  ])
  const [[, , data = ''] = [], [, , code = ''] = []] = scripts
  expect(data).not.toContain('<')
  expect(JSON.parse(data)).toEqual(page)
  const hash = createHash('sha256').update(code).digest('base64')
  expect(html).toContain(`default-src 'none'; script-src 'sha256-${hash}'; style-src 'sha256-`)
})
