import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ChartSource } from '../../../src/addons/addon.js'
import { uninstallArgs, upgradeArgs } from '../../../src/addons/helm-job.js'
import type { KubernetesObject } from '../../../src/kubernetes/port.js'
import { renderChart } from '../../../src/simulator/kubernetes/helm/unknown-charts.js'
import type { Checks } from '../../real-clients/kubectl/check.js'
import { create, type Subject, signal } from './subject.js'

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: greeter\nversion: 1.2.3\nappVersion: "1"\n',
  'values.yaml': 'greeting: hello\nnested:\n  kept: yes-it-is\n  changed: old\nlist: [a, b]\n',
  'crds/greeting.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: greetings.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Greeting, plural: greetings, singular: greeting}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`,
  'templates/map.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data:
  greeting: {{ .Values.greeting | quote }}
  kept: {{ .Values.nested.kept | quote }}
  changed: {{ .Values.nested.changed | quote }}
  list: {{ join "," .Values.list | quote }}
`,
}

interface Outcome {
  readonly code: number
  readonly text: string
}

/** The command lines of our job, carried out by the real helm against the real API server. */
export async function tellHelmStories(
  checks: Checks,
  subject: Subject,
  helm: string,
  kubeconfig: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-helm-'))
  const run = (args: readonly string[]) =>
    new Promise<Outcome>((resolve) => {
      const env = { PATH: process.env.PATH ?? '', HOME: folder, KUBECONFIG: kubeconfig }
      execFile(helm, args, { env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, text: `${stdout}${stderr}` }),
      )
    })
  const repository = await serveRepository(folder, run)
  const source = (values: Readonly<Record<string, unknown>>): ChartSource => ({
    kind: 'chart',
    repository: repository.url,
    chart: 'greeter',
    version: '1.2.3',
    release: 'greeter',
    values,
  })
  const install = (values: Readonly<Record<string, unknown>>, change: Partial<ChartSource> = {}) => {
    const file = join(folder, 'values.yaml')
    writeFileSync(file, JSON.stringify(values))
    return run(upgradeArgs({ ...source(values), ...change }, 'greetings', file))
  }
  const dataOf = async () =>
    (await subject.api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'greetings', 'greeter', signal))?.data
  const expectCode = ({ code, text }: Outcome, wanted: number) => {
    if (code !== wanted) throw new Error(text)
    return text
  }
  const expectSame = (found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }

  await checks.attempt(
    'helm takes our kubeconfig',
    async () => void expectCode(await run(['list', '--all-namespaces']), 0),
  )
  await checks.attempt('helm installs with our words, namespace and CRDs included', async () => {
    expectCode(await install({ greeting: 'hi', nested: { changed: 'new' }, list: ['c'] }), 0)
    expectSame(await dataOf(), { changed: 'new', greeting: 'hi', kept: 'yes-it-is', list: 'c' })
  })
  await checks.attempt('what results is a normal release', async () => {
    const text = expectCode(await run(['list', '-n', 'greetings', '-o', 'json']), 0)
    const [release] = JSON.parse(text) as { name: string; chart: string; status: string; revision: string }[]
    expectSame(
      [release?.name, release?.chart, release?.status, release?.revision],
      ['greeter', 'greeter-1.2.3', 'deployed', '1'],
    )
  })
  await checks.attempt('the same words again upgrade it', async () => {
    expectCode(await install({ greeting: 'hey' }), 0)
    expectSame(await dataOf(), { changed: 'old', greeting: 'hey', kept: 'yes-it-is', list: 'a,b' })
  })
  await checks.attempt('an unknown chart and a dead repository fail with words that we know', async () => {
    const unknown = expectCode(await install({}, { chart: 'nobody' }), 1)
    if (!/not found/i.test(unknown)) throw new Error(unknown)
    const dead = expectCode(await install({}, { repository: 'http://127.0.0.1:1' }), 1)
    if (!/connection refused/i.test(dead)) throw new Error(dead)
  })
  await checks.attempt('helm refuses a release that was cut off, and goes on when its record is removed', async () => {
    await create(subject, '/api/v1/namespaces/greetings/secrets', await pendingCopy(subject))
    const refused = expectCode(await install({ greeting: 'again' }), 1)
    if (!/another operation .* is in progress/.test(refused)) throw new Error(refused)
    const secret = { apiVersion: 'v1', kind: 'Secret' }
    const selector = 'owner=helm,name=greeter,status in (pending-install,pending-upgrade,pending-rollback)'
    const unfinished = await subject.api.list(secret, 'greetings', { labelSelector: selector }, signal)
    for (const { metadata } of unfinished) await subject.api.delete(secret, 'greetings', metadata.name ?? '', signal)
    expectCode(await install({ greeting: 'again' }), 0)
  })
  await checks.attempt('the lab renders a chart that it does not know with this helm', async () => {
    const path = process.env.PATH
    process.env.PATH = `${dirname(helm)}:${path}`
    const command = { verb: 'upgrade', chart: 'greeter', release: 'greeter', namespace: 'greetings' } as const
    const found = {
      ...command,
      repository: repository.url,
      version: '1.2.3',
      createNamespace: true,
      valuesFile: undefined,
    }
    try {
      const objects = await renderChart(found, { greeting: 'hi' })
      expectSame(objects.map(({ kind }) => kind).sort(), ['ConfigMap', 'CustomResourceDefinition'])
      const map = objects.find(({ kind }) => kind === 'ConfigMap')
      expectSame(map?.data, { greeting: 'hi', kept: 'yes-it-is', changed: 'old', list: 'a,b' })
      const problem = await renderChart({ ...found, chart: 'nobody' }, {}).catch((error: Error) => error.message)
      if (!/not found/i.test(String(problem))) throw new Error(String(problem))
    } finally {
      process.env.PATH = path
    }
  })
  await checks.attempt('helm uninstalls with our words, twice', async () => {
    expectCode(await run(uninstallArgs('greeter', 'greetings')), 0)
    expectCode(await run(uninstallArgs('greeter', 'greetings')), 0)
    expectSame(await dataOf(), undefined)
  })
  repository.close()
}

/** The newest release record once more, as helm leaves it when it is killed half-way. */
async function pendingCopy(subject: Subject): Promise<KubernetesObject> {
  const { gunzipSync, gzipSync } = await import('node:zlib')
  const records = await subject.api.list(
    { apiVersion: 'v1', kind: 'Secret' },
    'greetings',
    { labelSelector: 'owner=helm,name=greeter,status=deployed' },
    signal,
  )
  const { release: stored = '' } = (records[0]?.data ?? {}) as { release?: string }
  const packed = Buffer.from(stored, 'base64').toString()
  const release = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as { version: number; info: object }
  const version = release.version + 1
  const pending = { ...release, version, info: { ...release.info, status: 'pending-upgrade' } }
  const again = Buffer.from(gzipSync(JSON.stringify(pending)).toString('base64')).toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      name: `sh.helm.release.v1.greeter.v${version}`,
      namespace: 'greetings',
      labels: { owner: 'helm', name: 'greeter', status: 'pending-upgrade', version: String(version) },
    },
    data: { release: again },
  }
}

async function serveRepository(folder: string, run: (args: readonly string[]) => Promise<Outcome>) {
  for (const [name, text] of Object.entries(chart)) {
    const path = join(folder, 'greeter', name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  const server = createServer((request, response) => {
    try {
      response.end(readFileSync(join(folder, 'repository', request.url ?? '')))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  mkdirSync(join(folder, 'repository'))
  await run(['package', join(folder, 'greeter'), '--destination', join(folder, 'repository')])
  await run(['repo', 'index', join(folder, 'repository'), '--url', url])
  return { url, close: () => server.close() }
}
