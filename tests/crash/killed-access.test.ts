import { afterAll, expect, test } from 'vitest'
import { controlLab, findLab } from '../../src/lab/index.js'
import { aDesk, smallInventory } from '../cli/ichor.js'
import { oneIn } from '../support/sample.js'

const desk = aDesk()
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

async function succeeds(...words: string[]): Promise<void> {
  const { code, stderr } = await desk.ichor([...words, '--lab'])
  expect(code, `${words.join(' ')}: ${stderr}`).toBe(0)
}

/** What ichor access makes: users with their tokens, roles and pools. */
async function made(): Promise<Record<string, readonly string[]>> {
  const info = await findLab(desk.env)
  if (info === undefined) throw new Error('no lab')
  const { access, pools } = (await controlLab(info).save()).proxmox.state
  const ofOurs = (names: readonly string[]) => names.filter((name) => /ichor|^dev-/i.test(name)).sort()
  return {
    users: Object.values(access.users)
      .filter(({ userid }) => /^(ichor-dev|dev-csi)@pve$/.test(userid))
      .map(({ userid, tokens }) => `${userid} ${Object.keys(tokens).length}`)
      .sort(),
    roles: ofOurs(Object.keys(access.roles)),
    pools: ofOurs(Object.keys(pools)),
  }
}

/** The run is killed at one call after the other, until it has no such call any more. */
async function killedAtItsCalls(words: readonly string[], after: () => Promise<void>): Promise<number> {
  let killed = 0
  for (let nth = 1; ; nth += oneIn(5)) {
    await desk.ichor(['lab', 'fault', 'kill-caller', '--nth', String(nth)])
    const { code } = await desk.ichor([...words, '--yes', '--lab'])
    await desk.ichor(['lab', 'fault', '--clear'])
    if (code === 0) return killed
    killed++
    await after()
  }
}

test('the token is made and removed, killed at the calls: the next run ends as if nothing had happened', async () => {
  const inventory = `${smallInventory}  token_secret: secret:proxmox.token\nsecrets: plain\naddons:\n  proxmox_csi: {}\n`
  desk.write('cluster.yaml', inventory)
  await succeeds('access', '--yes')
  const wanted = await made()
  await succeeds('access', '--remove', '--yes')
  const before = await made()
  expect(before.users).toEqual([])

  const makeAndRemove = async () => {
    await succeeds('access', '--yes')
    await succeeds('access', 'check')
    expect(await made()).toEqual(wanted)
    await succeeds('access', '--remove', '--yes')
    expect(await made()).toEqual(before)
  }
  expect(await killedAtItsCalls(['access'], makeAndRemove)).toBeGreaterThan(1)

  const removeAndMake = async () => {
    await succeeds('access', '--remove', '--yes')
    expect(await made()).toEqual(before)
    await succeeds('access', '--yes')
  }
  await succeeds('access', '--yes')
  expect(await killedAtItsCalls(['access', '--remove'], removeAndMake)).toBeGreaterThan(1)
}, 900_000)
