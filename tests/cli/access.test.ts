import { afterAll, expect, test } from 'vitest'
import { aDesk, smallInventory } from './ichor.js'

const desk = aDesk()
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

test('access check judges the token that is given, in a lab, too', async () => {
  desk.write('cluster.yaml', smallInventory)
  const made = await desk.ichor(['access', '--lab', '--yes', '--json'])
  const { token } = JSON.parse(made.stdout)
  const own = { PROXMOX_VE_API_TOKEN: `${token.id}=${token.secret}` }
  expect(await desk.ichor(['access', 'check', '--lab'], own)).toMatchObject({ code: 0 })

  desk.write('cluster.yaml', `${smallInventory}guests:\n  - { name: nas, vmid: 120, cpu: 1, ram: 1G, create: true }\n`)
  const { code, stdout } = await desk.ichor(['access', 'check', '--lab', '--json'], own)
  expect(code).toBe(1)
  expect(JSON.parse(stdout).missing).toMatchObject([
    { work: 'create guests', path: '/vms/120' },
    { work: 'start and shut down guests', path: '/vms/120' },
  ])

  const wrong = await desk.ichor(['access', 'check', '--lab'], {
    PROXMOX_VE_API_TOKEN: 'a@pve!b=00000000-0000-0000-0000-000000000000',
  })
  expect(wrong.code).toBe(1)
})
