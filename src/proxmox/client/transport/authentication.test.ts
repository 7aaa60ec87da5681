import { afterEach, beforeEach, expect, test } from 'vitest'
import { failureOf } from '../testing/failure-of.js'
import { connectTo, fails, gives, inTurn, startTinyServer, type TinyServer } from '../testing/tiny-server.js'

const signal = new AbortController().signal
const version = gives({ version: '9.2.3', release: '9.2', repoid: 'x' })

let server: TinyServer
beforeEach(async () => {
  server = await startTinyServer()
  server.on.set('GET /version', version)
})
afterEach(() => server.close())

test('the token goes into the header, and into no error', async () => {
  const proxmox = connectTo([server])
  expect(await proxmox.cluster.version(signal)).toEqual({ version: '9.2.3', major: 9, minor: 2, canImportImages: true })
  expect(server.seen[0]?.headers.authorization).toBe('PVEAPIToken=ichor@pve!run=11111111-2222-3333-4444-555555555555')
  server.on.set('GET /version', fails(401, 'Authentication failed!'))
  const error = await failureOf(proxmox.cluster.version(signal))
  expect(error.kind).toBe('unauthenticated')
  expect(JSON.stringify({ ...error, message: error.message, where: error.where })).not.toContain('55555')
})

test('a token that is not accepted is named with its source', async () => {
  server.on.set('GET /version', fails(401, "no such token 'run' for user 'ichor@pve'"))
  const secret = '11111111-2222-3333-4444-555555555555'
  const auth = { kind: 'token' as const, id: 'ichor@pve!run', secret, source: 'the file ~/token' }
  const error = await failureOf(connectTo([server], { auth }).cluster.version(signal))
  expect(error).toMatchObject({ kind: 'unauthenticated', status: 401 })
  expect(error.message).toContain(
    'Proxmox does not accept the token ichor@pve!run. GET /version gave 401: no such token',
  )
  expect(error.fix).toContain('Its secret comes from the file ~/token')
  expect(error.fix).not.toContain('PROXMOX_VE_API_TOKEN')
})

test('an administrator logs in with a ticket, sends the CSRF token on writes, and again after a 401', async () => {
  let logins = 0
  server.on.set('POST /access/ticket', (seen, response) =>
    gives({ ticket: `T${++logins}`, CSRFPreventionToken: 'C' })(seen, response),
  )
  server.on.set('PUT /pools', inTurn(fails(401, 'permission denied - invalid PVE ticket'), gives(null)))
  const admin = connectTo([server], { auth: { kind: 'ticket', user: 'root@pam', password: 'secret' } })
  await admin.pools.setComment('ichor', 'x', signal)
  const writes = server.seen.filter(({ method }) => method === 'PUT')
  expect(writes.map(({ headers }) => headers.cookie)).toEqual(['PVEAuthCookie=T1', 'PVEAuthCookie=T2'])
  expect(writes[0]?.headers.csrfpreventiontoken).toBe('C')
  await admin.close()
})

test.each([
  ['a wrong password', fails(401, 'authentication failure'), /does not accept user and password/],
  ['a second factor', gives({ ticket: 'PVE:!tfa!…', NeedTFA: 1 }), /needs a second factor/],
])('%s is reported as such, and the password is nowhere', async (_what, reply, words) => {
  server.on.set('POST /access/ticket', reply)
  const admin = connectTo([server], { auth: { kind: 'ticket', user: 'root@pam', password: 'tops3cret' } })
  const error = await failureOf(admin.cluster.version(signal))
  expect(error.kind).toBe('unauthenticated')
  expect(error.message).toMatch(words)
  expect(JSON.stringify(error) + error.message + error.where + error.fix).not.toContain('tops3cret')
  await admin.close()
})
