import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

let old: SmallLab
let current: SmallLab
beforeAll(async () => {
  old = await startSmallLab({ saysWhyRefused: true, refusalMs: 0 })
  current = await startSmallLab({ refusalMs: 0 })
})
afterAll(() => Promise.all([old.close(), current.close()]))

test.each([
  { authorization: 'PVEAPIToken=root@pam!lab=wrong', why: 'invalid token value!' },
  { authorization: 'PVEAPIToken=root@pam!nope=x', why: "no such token 'nope' for user 'root@pam'" },
  { authorization: 'PVEAPIToken=ghost@pve!nope=x', why: "no such user ('ghost@pve')" },
  { authorization: 'PVEAPIToken=root@pam!lab', why: 'no tokenid specified' },
])('$authorization: "$why" before 8.4.17, and nothing of it since', async ({ authorization, why }) => {
  const ask = (lab: SmallLab) => lab.api('GET', '/version', {}, { Authorization: authorization })
  expect(await ask(old)).toMatchObject({ status: 401, reason: why })
  expect(await ask(current)).toMatchObject({ status: 401, reason: 'Authentication failed!' })
})
