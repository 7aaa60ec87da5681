import { afterAll, beforeAll, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
beforeAll(async () => {
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 2 }) } })
})
afterAll(() => stage.close())

test('a host dies while its machine boots: that is said within seconds, the rest is finished, and the run is incomplete', async () => {
  let dead: Promise<void> | undefined
  const kill = async () => {
    const { host } = await (await byHand(stage)).vm('dev-wk-2')
    await stage.lab.proxmox.setHostOnline(host, false)
  }
  const onEvent = (event: Stage['events'][number]) => {
    if (event.type === 'step.started' && /^reach-machine.*dev-wk-2/.test(event.step)) dead ??= kill()
  }
  await expect(stage.up({ onEvent })).rejects.toMatchObject({
    code: 'incomplete',
    exitCode: 1,
    message: expect.stringMatching(/^dev is incomplete: dev-wk-2: VM 3001 is on pve\d, which does not answer\.$/),
  })
  await dead
  const waiting = stage.events.filter((event) => event.type === 'step.waiting')
  expect(waiting[0]?.step).toContain('dev-wk-2')
  expect(waiting[0]?.for).toMatch(/^(host pve\d, which is offline|its Proxmox host, which does not answer)$/)
  // Nobody waited for it as long as a machine may take to answer.
  const problems = stage.events.flatMap((event) => (event.type === 'step.failed' ? [event.problem] : []))
  expect(problems.filter((problem) => !/cannot be reached|is offline\.$/.test(problem))).toEqual([])
  const others = (await stage.plan()).observed.machines
  expect(others.map(({ name, node }) => [name, node?.ready])).toEqual([
    ['dev-cp-1', true],
    ['dev-wk-1', true],
  ])
})

test('when the host is back, the next run finishes', async () => {
  for (const name of ['pve1', 'pve2', 'pve3']) await stage.lab.proxmox.setHostOnline(name, true)
  // Proxmox starts it with its host: there may be nothing left to do.
  expect((await stage.up({ forceUnlock: true })).outcome).toMatch(/^(done|nothing-to-do)$/)
  const { machines } = (await stage.plan()).observed
  expect(machines.map(({ name, node }) => [name, node?.ready])).toContainEqual(['dev-wk-2', true])
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})
