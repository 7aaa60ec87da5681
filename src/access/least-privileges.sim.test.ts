import { afterEach, expect, test } from 'vitest'
import { useOwnToken } from '../../tests/support/firewall-stories.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../../tests/support/lab.js'
import { whatIsThere } from '../../tests/support/left-behind.js'
import { notesOf } from '../../tests/support/plan-notes.js'
import { grantAccess, planAccess } from './access-plan.js'
import { aTokenHome } from './testing.js'

const signal = new AbortController().signal
let stage: Stage | undefined
afterEach(() => stage?.close())

test.each([8, 9] as const)(
  'on Proxmox %i a cluster comes up with the token that access makes, and nothing more, beside VMs that it does not see',
  async (pve) => {
    stage = await aStage({
      pve,
      topology: aTopology({ hosts: 2 }),
      files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) },
    })
    const { world } = await stage.connect()
    const theirs = { host: 'pve1', vmid: 2000 }
    await world.proxmox.tasks.wait(await world.proxmox.machines.create(theirs, { name: 'theirs' }, signal), signal)
    const plan = await planAccess(world.proxmox, await stage.inventory(), [], signal)
    const how = { renew: false, prove: async () => true, homeOf: () => aTokenHome(), signal }
    const { tokens } = await grantAccess(world.proxmox, plan, how)
    Object.assign(stage.lab.proxmox, { tokenId: tokens[0]?.shown?.id, tokenSecret: tokens[0]?.shown?.secret })
    expect(notesOf((await stage.plan()).plan)).toEqual([
      'VMID 2000 is used by a guest that this token cannot see: the next free one is used.',
    ])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(whatIsThere(stage.lab).vms).toEqual(['2000 pve1 theirs', '2001 pve1 dev-cp-1', '3000 pve1 dev-wk-1'])
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    await stage.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 0 }))
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
  },
)

test('a machine leaves although the token may not ask its guest agent', async () => {
  const yaml = (workers: number) => ({ 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers }) })
  stage = await aStage({ pve: 9, topology: aTopology(), files: yaml(1) })
  await useOwnToken(stage)
  await stage.up()
  const roles = Object.values(stage.lab.save().proxmox.state.access.roles)
  expect(roles.flat()).toContain('VM.GuestAgent.Audit')
  stage.lab.proxmox.trouble.narrowToken(stage.lab.proxmox.tokenId, ['VM.GuestAgent.Audit'])
  await stage.write('cluster.yaml', yaml(0)['cluster.yaml'])
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(whatIsThere(stage.lab).vms).toEqual(['2000 pve1 dev-cp-1'])
})
