import { X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDirectDialer } from '../../reach/direct.js'
import { reachErrorFrom } from '../../reach/reach-error.js'
import { createSocksDialer } from '../../reach/socks.js'
import type { ProxmoxOptions } from './connect.js'
import { failureOf } from './testing/failure-of.js'
import {
  connectTo,
  fails,
  gives,
  type Reply,
  startTinyServer,
  type TinyServer,
  testFile,
} from './testing/tiny-server.js'

const signal = new AbortController().signal
const version = gives({ version: '9.2.3', release: '9.2', repoid: 'x' })

let server: TinyServer
beforeEach(async () => {
  server = await startTinyServer()
})
afterEach(() => server.close())

const html: Reply = (_seen, response) =>
  void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>login</html>')
const page =
  (status: number): Reply =>
  (_seen, response) =>
    void response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>proxy</html>')
const half: Reply = (_seen, response) => {
  response.writeHead(200, { 'Content-Length': '500', 'Content-Type': 'application/json' })
  response.write('{"data":{"version"', () => response.socket?.destroy())
}
const lostName: ProxmoxOptions['dialer'] = {
  ...createDirectDialer(),
  dial: (target) => Promise.reject(reachErrorFrom(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), target)),
}

/** The problem and the fix, as the user reads them. */
const failures: {
  story: string
  reply?: Reply
  options?: Partial<ProxmoxOptions>
  certificate?: 'expired'
  means: RegExp
  fix: RegExp
}[] = [
  { story: 'a wrong token', reply: fails(401, 'no such token'), means: /token/, fix: /token/ },
  {
    story: 'an expired certificate',
    certificate: 'expired',
    options: { trust: { kind: 'ca', pem: testFile('expired.crt') } },
    means: /has expired/,
    fix: /Renew the certificate on the host/,
  },
  {
    story: 'a wrong fingerprint',
    options: { trust: { kind: 'fingerprint', sha256: '00'.repeat(32) } },
    means: /another certificate than the one that was pinned/,
    fix: /put it into proxmox\.fingerprint/,
  },
  {
    story: 'a name that does not resolve',
    options: { endpoints: ['https://pve.nowhere:8006'], dialer: lostName },
    means: /The name pve\.nowhere does not resolve/,
    fix: /spelling of pve\.nowhere/,
  },
  {
    story: 'a closed port',
    options: { endpoints: ['https://127.0.0.1:1'] },
    means: /port 1/,
    fix: /endpoint|port|8006/,
  },
  { story: 'HTML instead of JSON', reply: html, means: /not one of the Proxmox API/, fix: /proxmox\.endpoint/ },
  { story: 'a login page elsewhere', reply: page(302), means: /not one of the Proxmox API/, fix: /login page/ },
  { story: 'a proxy whose Proxmox is down', reply: page(502), means: /502/, fix: /./ },
  {
    story: 'a SOCKS proxy that is not there',
    options: { dialer: createSocksDialer({ host: '127.0.0.1', port: 1 }, createDirectDialer()) },
    means: /port 1/,
    fix: /^((?!proxmox\.endpoints).)*$/,
  },
  { story: 'half an answer', reply: half, means: /no answer/, fix: /./ },
  { story: '595', reply: fails(595, 'No route to host'), means: /595/, fix: /host/ },
  { story: '596', reply: fails(596, 'Connection timed out'), means: /596/, fix: /./ },
]

test.each(failures)('$story: the error has method and path, what it means and what to do', async (one) => {
  const place = one.certificate === undefined ? server : await startTinyServer(one.certificate)
  place.on.set('GET /version', one.reply ?? version)
  const client = connectTo([place], one.options)
  const error = await failureOf(client.cluster.version(signal))
  expect(error.where).toContain('GET /version')
  expect(error.message).toMatch(one.means)
  expect(error.fix).toMatch(one.fix)
  await client.close()
  if (place !== server) await place.close()
})

test('a certificate that is not the pinned one is shown, so that it can be compared', async () => {
  const client = connectTo([server], { trust: { kind: 'fingerprint', sha256: '00'.repeat(32) } })
  const { where } = await failureOf(client.cluster.version(signal))
  expect(where).toContain(`it shows ${new X509Certificate(testFile('host.crt')).fingerprint256}`)
  await client.close()
})

test('when a proxy gives up on a write, the worker that it started all the same is found', async () => {
  const upid = 'UPID:pve1:0012ABCD:0A1B2C3D:6917C5A0:qmcreate:2000:ichor@pve!run:'
  server.on.set('POST /nodes/pve1/qemu', page(504))
  server.on.set('GET /nodes/pve1/tasks', gives([{ upid }]))
  const client = connectTo([server])
  expect(await client.machines.create({ host: 'pve1', vmid: 2000 }, {}, signal)).toEqual({ host: 'pve1', upid })
  await client.close()
})
