import { afterEach, expect, test } from 'vitest'
import { type Lab, startLab } from './index.js'
import { smallTopology } from './proxmox/testing/small-lab.js'

const labs: Lab[] = []
afterEach(async () => {
  await Promise.all(labs.splice(0).map((lab) => lab.close()))
})

test('two labs stand beside each other, and a saved one goes on where it was', async () => {
  const one = await startLab({ topology: smallTopology, speed: 100 })
  labs.push(one)
  const other = await startLab({ topology: smallTopology, speed: 100 })
  labs.push(other)
  expect(one.proxmox.endpoint).not.toBe(other.proxmox.endpoint)

  const saved = JSON.parse(JSON.stringify(one.save()))
  await one.close()
  labs.splice(0, 1)
  const again = await startLab({ topology: smallTopology, resume: saved })
  labs.push(again)
  expect(again.proxmox.tokenSecret).toBe(one.proxmox.tokenSecret)
  expect(again.proxmox.fingerprint).toBe(one.proxmox.fingerprint)
  expect(again.clock.now()).toBeGreaterThanOrEqual(saved.at)
})

test('a lab that cannot start leaves nothing open', async () => {
  const servers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSERVERWRAP').length
  const before = servers()
  await expect(startLab({ topology: smallTopology, port: 99_999_999 })).rejects.toThrow()
  await expect.poll(servers).toBe(before)
})

test('a host is reached by its lab address and by its loopback address', async () => {
  const lab = await startLab({ topology: smallTopology, speed: 100 })
  labs.push(lab)
  const { hostname } = new URL(lab.proxmox.endpoint)
  expect(lab.network.resolve('10.0.10.2', 8006)).toEqual({ host: hostname, port: 8006 })
  expect(lab.network.resolve(hostname, 8006)).toEqual({ host: hostname, port: 8006 })
})
