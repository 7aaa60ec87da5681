import { afterAll, expect, test } from 'vitest'
import { controlLab, findLab } from '../../src/lab/index.js'
import { aDesk, smallInventory } from '../cli/ichor.js'

const desk = aDesk()
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

const inventory = `${smallInventory}  token_secret: secret:proxmox.token\nsecrets: plain\naddons:\n  proxmox_csi: {}\n`

/** Names of the tokens, by their user. */
async function tokens(): Promise<Record<string, string[]>> {
  const info = await findLab(desk.env)
  if (info === undefined) throw new Error('no lab')
  const { state } = (await controlLab(info).save()).proxmox
  const users = Object.values(state.access.users).filter(({ userid }) => /^(ichor-dev|dev-csi)@pve$/.test(userid))
  return Object.fromEntries(users.map((user) => [user.userid, Object.keys(user.tokens)]))
}

/** The real process is killed at one call after the other, until a run has no such call any more. */
test('a renewal of tokens, killed at its calls: the token in its home works, and the next run leaves one token each', async () => {
  desk.write('cluster.yaml', inventory)
  const succeeds = async (...words: string[]) => {
    const { code, stderr } = await desk.ichor([...words, '--lab'])
    expect(code, `${words.join(' ')}: ${stderr}`).toBe(0)
  }
  await succeeds('access', '--yes')
  let killed = 0
  for (let nth = 1; ; nth++) {
    await desk.ichor(['lab', 'fault', 'kill-caller', '--nth', String(nth)])
    const { code } = await desk.ichor(['access', '--renew', '--yes', '--lab'])
    await desk.ichor(['lab', 'fault', '--clear'])
    await succeeds('access', 'check')
    if (code === 0) break
    killed++
    await succeeds('access', '--yes')
    await succeeds('access', 'check')
    for (const names of Object.values(await tokens())) expect(names, `killed at ${nth}`).toHaveLength(1)
  }
  expect(killed).toBeGreaterThan(2)
  expect(Object.keys(await tokens()).sort()).toEqual(['dev-csi@pve', 'ichor-dev@pve'])
}, 600_000)
