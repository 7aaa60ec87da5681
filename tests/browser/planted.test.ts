import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { smallInventory } from '../cli/ichor.js'
import { aScene, openPage, type Scene, show } from './browse.js'

const markup = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'

interface LabStatus {
  readonly endpoint: string
  readonly token_id: string
  readonly token_secret: string
  readonly nodes: readonly { readonly name: string; readonly loopback: string }[]
}

let scene: Scene
let lab: LabStatus
beforeAll(async () => {
  scene = await aScene({ 'cluster.yaml': smallInventory }, { speed: 100 })
  lab = JSON.parse((await scene.desk.ichor(['lab', 'status', '--json'])).stdout)
})
afterAll(() => scene.end())

interface Call {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body: string
  readonly cert?: Buffer | undefined
  readonly key?: Buffer | undefined
}

/** The status of the answer. */
function send({ method, url, headers = {}, body, cert, key }: Call): Promise<number | undefined> {
  return new Promise((settle, fail) => {
    const sent = request(url, { method, headers, cert, key, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      answer.on('end', () => settle(answer.statusCode))
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

function inProxmox(method: string, path: string, fields: Record<string, string>): Promise<number | undefined> {
  const headers = {
    authorization: `PVEAPIToken=${lab.token_id}=${lab.token_secret}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  return send({ method, url: `${lab.endpoint}/api2/json${path}`, headers, body: String(new URLSearchParams(fields)) })
}

function inKubernetes(method: string, path: string, object: object): Promise<number | undefined> {
  const { users } = parse(readFileSync(join(scene.desk.folder, 'kubeconfig.lab'), 'utf8'))
  const [cert, key] = ['client-certificate-data', 'client-key-data'].map((name) =>
    Buffer.from(users[0].user[name], 'base64'),
  )
  const { loopback } = lab.nodes.find(({ name }) => name === 'dev-cp-1') ?? {}
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { 'content-type': type }
  return send({ method, url: `https://${loopback}:6443${path}`, headers, body: JSON.stringify(object), cert, key })
}

const attachments = '/apis/storage.k8s.io/v1/volumeattachments'

test('markup in objects of Kubernetes, notes of VMs and errors of tasks stays text', async () => {
  const { desk, browser, served } = scene
  const spec = {
    attacher: 'csi.example.com',
    nodeName: 'dev-wk-1',
    source: { persistentVolumeName: 'pv-1' },
  }
  const attachError = { message: markup, time: '2020-01-01T00:00:00Z' }
  const attachment = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'a' }, spec }
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a', namespace: 'default' },
    involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'dev-wk-1' },
    reason: markup,
    message: markup,
  }
  expect({
    object: await inKubernetes('POST', attachments, attachment),
    status: await inKubernetes('PATCH', `${attachments}/a/status`, { status: { attached: false, attachError } }),
    event: await inKubernetes('POST', '/api/v1/namespaces/default/events', event),
    node: await inKubernetes('PATCH', '/api/v1/nodes/dev-wk-1', { metadata: { annotations: { note: markup } } }),
    foreign: await inProxmox('POST', '/nodes/pve1/qemu', { vmid: '900', name: 'foreign', description: markup }),
    pool: await inProxmox('POST', '/pools', { poolid: 'others', comment: markup }),
  }).toEqual({ object: 201, status: 200, event: 201, node: 200, foreign: 200, pool: 200 })
  desk.write('cluster.yaml', smallInventory.replace('worker_count: 1', 'worker_count: 2'))
  const fault = ['fail-task', '--path', 'status/start', '--method', 'POST', '--message', markup, '--times', '20']
  await desk.ichor(['lab', 'fault', ...fault])
  expect((await desk.ichor(['up', '--lab', '--yes'])).code).not.toBe(0)
  await desk.ichor(['lab', 'fault', '--clear'])
  const page = await openPage(browser, served.link())
  for (const [screen, text] of [
    ['estate', 'foreign'],
    ['cluster', 'onerror'],
    ['plan', 'dev-wk-2'],
    ['runs', 'onerror'],
  ] as const) {
    await show(page, `#/${screen}/0`)
    await page.locator('main').getByText(text).first().waitFor()
    expect({ screen, images: await page.locator('img').count() }).toEqual({ screen, images: 0 })
  }
  expect((await desk.ichor(['ui', '--lab', '--export', 'page.html'])).code).toBe(0)
  await page.goto(`file://${join(desk.folder, 'page.html')}#/cluster/0`)
  await page.locator('main').getByText('onerror').first().waitFor()
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  await page.close()
})
