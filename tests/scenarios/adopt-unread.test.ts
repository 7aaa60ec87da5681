import { afterEach, beforeEach, expect, test } from 'vitest'
import { aForeignMachine } from '../support/foreign-cluster.js'
import { aForeignEnvironment, type ForeignEnvironment } from '../support/foreign-environment.js'

let foreign: ForeignEnvironment
const off = aForeignMachine(3, 'worker')

beforeEach(async () => {
  foreign = await aForeignEnvironment([aForeignMachine(1, 'controlplane'), aForeignMachine(2, 'worker'), off])
  await foreign.power(off, 'stop')
  expect(await foreign.adopt()).toMatchObject({ code: 0 })
})
afterEach(() => foreign.program.close())

/** Its host responds: no message calls it lost. */
function blamesNoHost(text: string): void {
  expect(text).not.toMatch(/host pve3|on pve3, which|--gone/)
}

test('a machine that is off: up takes the others over and names what it waits for, and keys are not rotated meanwhile', async () => {
  const { stderr } = await foreign.env('up', '--yes')
  expect(stderr).toContain('talos-w3: VM 703 is not taken over yet: it is off')
  expect(stderr).toContain('fix    Start talos-w3')
  blamesNoHost(stderr)
  const rotated = await foreign.env('secrets', 'rotate', 'talos-ca', '--yes')
  expect(rotated).toMatchObject({ code: 3, stderr: expect.stringContaining('VM 703 is not taken over yet: it is off') })
  blamesNoHost(rotated.stderr)
  const { stdout } = await foreign.env('doctor')
  expect(stdout).toContain('VM 703 of talos-w3 is not taken over: it is off')
  blamesNoHost(stdout)
}, 300_000)

test('a machine that was wiped while it was off is not changed, and the plan names why', async () => {
  await foreign.env('up', '--yes')
  const { proxmox } = foreign.world
  const change = { set: { scsi0: 'local-lvm:32' } }
  await proxmox.machines.setOptions(off, change, foreign.signal)
  await foreign.power(off, 'start')
  const shown = async () => (await foreign.env('plan')).stdout
  await expect.poll(shown, { timeout: 30_000 }).toContain('untrusted CA')
  blamesNoHost(await shown())
  expect(await foreign.plannedKinds()).toEqual([])
  expect(await foreign.isMarked(off)).toBe(false)
}, 300_000)
