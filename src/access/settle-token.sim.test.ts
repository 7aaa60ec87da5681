import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../clock.js'
import type { ProxmoxPort } from '../proxmox/client/port.js'
import { connectLab } from '../proxmox/client/testing/lab-client.js'
import { type SmallLab, startSmallLab } from '../simulator/proxmox/testing/small-lab.js'
import { compilePrivileges } from './compile-privileges.js'
import { type Identity, runIdentity } from './identities.js'
import { makeAccess } from './make-access.js'
import { createProver } from './prove-token.js'
import { type SettleOptions, settleToken } from './settle-token.js'
import { anAccessInventory, aTokenHome } from './testing.js'

const signal = new AbortController().signal
let lab: SmallLab
let admin: ProxmoxPort
let identity: Identity
let how: SettleOptions

beforeEach(async () => {
  lab = await startSmallLab({ pve: 9 })
  admin = connectLab(lab, { auth: { kind: 'token', id: lab.sim.tokenId, secret: lab.sim.tokenSecret } })
  const [version, { storages, hosts }] = await Promise.all([
    admin.cluster.version(signal),
    admin.cluster.resources(signal),
  ])
  const inventory = anAccessInventory()
  identity = runIdentity(
    inventory,
    compilePrivileges(inventory, { version, storages, hosts: hosts.map(({ name }) => name) }),
  )
  await makeAccess(admin, identity, signal)
  const prove = createProver({
    clock: createClock(1000),
    signal,
    as: async (token, work) => {
      const own = connectLab(lab, { auth: { kind: 'token', ...token } })
      return work(own).finally(() => own.close())
    },
  })
  how = { renew: false, prove, signal }
})
afterEach(async () => {
  await admin.close()
  await lab.close()
})

const settle = (home: ReturnType<typeof aTokenHome>, change: Partial<SettleOptions> = {}, access = admin.access) =>
  settleToken(access, identity, home, { ...how, ...change })
const names = async () => (await admin.access.findTokens(identity.user, signal))?.map(({ name }) => name).sort()
const works = async (home: ReturnType<typeof aTokenHome>) =>
  home.value !== undefined && (await how.prove(home.value, identity))

test('a renewed token takes the place of the old one in its home, and only then the old one goes', async () => {
  const home = aTokenHome(true)
  await settle(home)
  expect([home.value?.id, await names()]).toEqual(['ichor-dev@pve!ichor', ['ichor']])
  expect((await settle(home)).kept).toBeUndefined()
  const { kept, notes } = await settle(home, { renew: true })
  expect([kept, notes]).toEqual([
    'a home in memory',
    ['made token ichor-dev@pve!ichor-2', 'removed token ichor-dev@pve!ichor'],
  ])
  expect([home.value?.id, await names(), await works(home)]).toEqual(['ichor-dev@pve!ichor-2', ['ichor-2'], true])
})

test('while the old token may be in use, it stays; the next run removes it', async () => {
  const home = aTokenHome(true)
  await settle(home)
  home.inUse = 'proxmox_csi uses it until ichor up'
  expect((await settle(home, { renew: true })).notes).toContain(
    'ichor-dev@pve!ichor keeps working: proxmox_csi uses it until ichor up',
  )
  expect(await names()).toEqual(['ichor', 'ichor-2'])
  home.inUse = undefined
  expect((await settle(home)).notes).toEqual(['removed token ichor-dev@pve!ichor'])
  expect(await names()).toEqual(['ichor-2'])
})

test('where only the user can keep a token it is shown, and the old one goes when the new one is in its place', async () => {
  const home = aTokenHome()
  home.value = (await settle(home)).shown
  const { shown, notes } = await settle(home, { renew: true })
  expect(notes.join()).toContain('ichor-dev@pve!ichor keeps working: put the new token in its place')
  expect([await names(), await works(home)]).toEqual([['ichor', 'ichor-2'], true])
  expect((await settle(home)).notes).toEqual(['ichor-dev@pve!ichor-2 is younger than the token in use'])
  expect(await names()).toEqual(['ichor', 'ichor-2'])
  home.value = shown
  expect((await settle(home)).notes).toEqual(['removed token ichor-dev@pve!ichor'])
  expect([await names(), await works(home)]).toEqual([['ichor-2'], true])
})

test("somebody's own token is not written over, and tokens of others stay", async () => {
  const home = aTokenHome(true)
  home.value = { id: 'root@pam!mine', secret: 'theirs' }
  await admin.access.createToken(identity.user, { name: 'backup', separated: false }, signal)
  expect((await settle(home)).shown?.id).toBe('ichor-dev@pve!ichor')
  expect([home.value.id, await names()]).toEqual(['root@pam!mine', ['backup', 'ichor']])
})

test('a token for a while is made so, and reported with its end', async () => {
  const expire = 2_000_000_000
  expect((await settle(aTokenHome(true), { expire })).current).toEqual({ id: 'ichor-dev@pve!ichor', expire })
  expect(await admin.access.findTokens(identity.user, signal)).toMatchObject([{ name: 'ichor', expire }])
})

test('a token whose secret was lost, or that expired, is replaced', async () => {
  const home = aTokenHome(true)
  await settle(home)
  home.value = { id: home.value?.id ?? '', secret: '00000000-0000-0000-0000-000000000000' }
  await settle(home)
  expect([home.value.id, await names(), await works(home)]).toEqual(['ichor-dev@pve!ichor-2', ['ichor-2'], true])
})

test('a home that does not hold what was written is reported, and the old token keeps working', async () => {
  const home = aTokenHome(true)
  await settle(home)
  const deaf = { ...home, find: home.find, keep: async () => {} }
  await expect(settle(deaf, { renew: true })).rejects.toThrow('is not what a home in memory holds')
  expect(await works(home)).toBe(true)
})

test('killed at any call, before or after it took hold, whatever is kept works, and the next run finishes', async () => {
  for (let nth = 1; nth <= 3; nth++) {
    for (const isDone of [false, true]) {
      const home = aTokenHome(true)
      await settle(home)
      const before = home.value
      const dying = killedAt(nth, isDone)
      const access = {
        ...admin.access,
        createToken: dying(admin.access.createToken),
        removeToken: dying(admin.access.removeToken),
      }
      const keep = dying(home.keep ?? (async () => {}))
      await expect(settle({ ...home, keep }, { renew: true }, access)).rejects.toThrow('killed')
      expect(await works(home), `killed at ${nth}`).toBe(true)
      await settle(home)
      expect([await works(home), await names()]).toEqual([true, [home.value?.id.split('!')[1]]])
      expect(home.value === before).toBe(nth < 2 || (nth === 2 && !isDone))
    }
  }
})

/** Counts the calls of all wrapped functions; the nth call ends everything, and none is made afterwards. */
function killedAt(nth: number, isDone: boolean) {
  let calls = 0
  return <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (++calls > nth) throw new Error('killed')
      if (calls === nth && !isDone) throw new Error('killed')
      const answer = await call(...args)
      if (calls === nth) throw new Error('killed')
      return answer
    }
}
