import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk, ended, smallInventory } from './ichor.js'

let desk: Desk
let server: Server
const received: { events: { type: string; severity: string }[] }[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push(JSON.parse(body))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  desk = aDesk()
  desk.write('cluster.yaml', inventory(1))
  await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '300', '--detach'])
  await desk.ichor(['up', '--lab', '--yes'])
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  server.close()
  desk.clear()
})

const inventory = (workers: number) =>
  `${smallInventory.replace('worker_count: 1', `worker_count: ${workers}`)}observability: { webhooks: [{ url: env:HOOK }] }\n`
const hook = () => ({ HOOK: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
const once = () => desk.ichor(['watch', '--lab', '--once', '--json'], hook())
const typesIn = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).type)

test('--once: 0 while all is well, 4 when something differs, reported once to people and to the webhook', async () => {
  const well = await once()
  expect([well.code, typesIn(well.stdout)]).toEqual([0, ['finding.opened']])
  desk.write('cluster.yaml', inventory(2))
  const differs = await once()
  expect(differs.code).toBe(4)
  expect(typesIn(differs.stdout)).toContain('plan.pending')
  expect(JSON.parse(differs.stdout.split('\n')[0] ?? '')).toMatchObject({ version: 1, cluster: 'dev' })
  const again = await once()
  expect([again.code, again.stdout]).toEqual([4, ''])
  desk.write('cluster.yaml', inventory(1))
  await once()
  expect(received.map(({ events }) => events.map(({ type }) => type))).toEqual([
    ['finding.opened'],
    typesIn(differs.stdout),
    expect.arrayContaining(['plan.closed', 'inventory.shrank']),
  ])
})

test('--once: 1 where a cluster cannot be looked at, 2 for a path that is wrong', async () => {
  desk.write('broken/cluster.yaml', 'cluster_name: [dev')
  const broken = await desk.ichor(['watch', 'broken', '--lab', '--once', '--json'])
  expect([broken.code, typesIn(broken.stdout)]).toEqual([1, ['inventory.refused']])
  expect((await desk.ichor(['watch', 'nowhere', '--once'])).code).toBe(2)
})

test('it serves metrics until SIGINT, which closes its port', async () => {
  const child = desk.start(['watch', '--lab', '--listen', '127.0.0.1:0'], hook())
  const end = ended(child)
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', (chunk) => {
      text += chunk
      const [, found] = /http:\/\/(\S+)\/metrics/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(text)))
  })
  await expect
    .poll(async () => (await fetch(`http://${address}/readyz`)).status, { timeout: 60_000, interval: 500 })
    .toBe(200)
  const metrics = await (await fetch(`http://${address}/metrics`)).text()
  expect(metrics).toContain('ichor_pass_last_success_timestamp_seconds{cluster="dev"}')
  child.kill('SIGINT')
  expect((await end).code).toBe(0)
  const [host = '', port] = address.split(':')
  const isRefused = await new Promise((resolve) => {
    const socket = connect(Number(port), host, () => resolve(false))
    socket.once('error', () => resolve(true))
  })
  expect(isRefused).toBe(true)
})
