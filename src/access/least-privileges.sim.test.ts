import { afterEach, expect, test } from 'vitest'
import { aStage, aTopology, clusterYaml, type Stage } from '../../tests/support/lab.js'
import { grantAccess, planAccess } from './access-plan.js'

const signal = new AbortController().signal
let stage: Stage | undefined
afterEach(() => stage?.close())

test.each([8, 9] as const)(
  'on Proxmox %i a cluster comes up with the token that access makes, and nothing more',
  async (pve) => {
    stage = await aStage({
      pve,
      topology: aTopology({ hosts: 2 }),
      files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) },
    })
    const { world } = await stage.connect()
    const plan = await planAccess(world.proxmox, await stage.inventory(), [], signal)
    const { token } = await grantAccess(world.proxmox, plan, { renewToken: false, known: {}, signal })
    Object.assign(stage.lab.proxmox, { tokenId: token?.id, tokenSecret: token?.secret })
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  },
)
