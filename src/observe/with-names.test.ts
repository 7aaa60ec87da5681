import { expect, test } from 'vitest'
import { fake } from '../../tests/support/fake.js'
import type { GuestResource } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { withNames } from './with-names.js'

const signal = AbortSignal.timeout(60_000)
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => fake<GuestResource>({ vmid: index + 100, host: 'pve1', kind: 'qemu' }))

function aProxmox() {
  let asked = 0
  const findConfig = async () => {
    asked++
    return { options: { name: 'nas' } }
  }
  return {
    proxmox: fake<World['proxmox']>({ machines: fake<World['proxmox']['machines']>({ findConfig } as never) }),
    asked: () => asked,
  }
}

test('a VM that the statistics do not name yet is named by its config', async () => {
  const { proxmox } = aProxmox()
  expect(await withNames(rows(2), proxmox, signal)).toMatchObject([{ name: 'nas' }, { name: 'nas' }])
})

test('a list of 400,000 VMs without a name is refused before a request is made for each', async () => {
  const { proxmox, asked } = aProxmox()
  await expect(withNames(rows(400_000), proxmox, signal)).rejects.toThrow('400000 VMs have no name')
  expect(asked()).toBe(0)
})
