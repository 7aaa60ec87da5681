import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seen } from '../../src/cluster/seen.js'
import type { LabAccess } from '../../src/connect.js'
import { PlanRefused } from '../../src/errors.js'
import { inspect } from '../../src/operations/doctor.js'
import { statusOf } from '../../src/operations/status/status.js'
import { capacityTable } from '../../src/placement/index.js'
import { anExample } from '../support/example.js'
import { fake } from '../support/fake.js'
import { mutatingCalls, type Stage } from '../support/lab.js'

let stage: Stage

afterEach(() => stage.close())

async function healthy(): Promise<ReturnType<typeof statusOf>> {
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const { world, close } = await stage.connect()
  const session = { inventory: await stage.inventory(), world, env: {}, lab: fake<LabAccess>({}) }
  const beside = Promise.resolve({ expiries: [], backup: seen({}) })
  const { facts, verdict, examination } = await inspect(session, beside, AbortSignal.timeout(60_000))
  await close()
  expect(examination.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
  expect(examination.unknown).toEqual([])
  const status = statusOf(facts, verdict)
  expect(status).toMatchObject({ healthy: true, drift: [] })
  expect(stage.lab.proxmox.unknown()).toEqual([])
  return status
}

const vms = () => Object.values(stage.lab.save().proxmox.state.vms)

describe('hyperconverged', () => {
  beforeEach(async () => {
    stage = await anExample('hyperconverged')
  })

  test('leaves 18 vCPU and 32 GB in reserve, makes the appliance once and never touches it again', async () => {
    const [room] = capacityTable(await stage.inventory())
    expect(room).toMatchObject({ cpu: { free: 18 }, memory: { free: 32 * 1024 ** 3 } })
    const status = await healthy()
    expect(status.machines.map(({ name, address }) => [name, address])).toEqual([
      ['talos-node-0', '192.168.10.51'],
      ['talos-node-1', '192.168.10.52'],
      ['talos-node-2', '192.168.10.53'],
    ])
    const appliance = vms().find(({ vmid }) => vmid === 120)
    expect(appliance?.config).toMatchObject({ name: 'truenas', hostpci0: expect.stringContaining('mapping=hba') })
    for (const { vmid, config } of vms().filter((vm) => vm.vmid !== 120)) {
      expect([vmid, config.ide2]).toEqual([vmid, 'none,media=cdrom'])
    }
    const before = mutatingCalls(stage.lab).filter((call) => call.includes('/120'))
    await stage.destroy()
    expect(mutatingCalls(stage.lab).filter((call) => call.includes('/120'))).toEqual(before)
    expect(vms().map(({ vmid }) => vmid)).toEqual([120])
  })
})

describe('em-infra', () => {
  beforeEach(async () => {
    stage = await anExample('em-infra')
  })

  test('clones its template, has the MACs that its names give, and no guest agent', async () => {
    const status = await healthy()
    const { machines } = await stage.inventory()
    for (const { name, identity } of machines) {
      const vm = vms().find(({ config }) => config.name === name)
      expect(vm?.config).toMatchObject({
        net0: expect.stringContaining(identity.mac),
        smbios1: expect.stringContaining(identity.uuid),
      })
      expect(vm?.config.agent).toBeUndefined()
    }
    expect(
      vms()
        .filter(({ config }) => config.template === '1')
        .map(({ vmid }) => vmid),
    ).toEqual([998, 999])
    expect(status.addons.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['metrics_server', 'traefik', 'proxmox_csi', 'flux']),
    )
    expect(
      stage.lab.proxmox.requests().filter(({ path, method }) => method === 'POST' && path.endsWith('/clone')),
    ).toHaveLength(2)
  })
})

describe('enterprise', () => {
  test('interleaves its workers, takes VMIDs from 401 and 501, learns addresses from the agent and detaches every ISO', async () => {
    stage = await anExample('enterprise')
    const status = await healthy()
    const of = (role: string) => status.machines.filter((machine) => machine.role === role)
    expect(of('controlplane').map(({ host, vmid }) => [host, vmid])).toEqual([
      ['pve-a', 401],
      ['pve-b', 402],
      ['pve-c', 403],
    ])
    expect(of('worker').map(({ vmid }) => vmid)).toEqual([501, 502, 503, 504, 505, 506])
    expect(
      of('worker')
        .slice(0, 3)
        .map(({ host }) => host),
    ).toEqual(['pve-a', 'pve-b', 'pve-c'])
    for (const { config } of vms()) expect(config.ide2).toBe('none,media=cdrom')
    expect(status.machines.every(({ address }) => address !== null)).toBe(true)
  })

  test('fails cleanly, with the numbers and before anything is made, when its workers do not fit', async () => {
    stage = await anExample('enterprise', async (folder) => {
      const file = join(folder, 'cluster.yaml')
      await writeFile(file, (await readFile(file, 'utf8')).replace('worker_count: 6', 'worker_count: 60'))
    })
    const failure = await stage.up().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PlanRefused)
    expect(String(failure)).toContain('pve-a')
    expect(mutatingCalls(stage.lab)).toEqual([])
  })
})

describe('production', () => {
  test('has its addresses, VIP, templates and addons, and refuses to be destroyed', async () => {
    stage = await anExample('production')
    const status = await healthy()
    expect(status.endpoint).toBe('https://10.20.0.5:6443')
    expect(status.machines.map(({ address }) => address)).toEqual([
      '10.20.0.10',
      '10.20.0.11',
      '10.20.0.12',
      '10.20.0.20',
      '10.20.0.21',
      '10.20.0.22',
    ])
    const templates = vms().filter(({ config }) => config.template === '1')
    expect(templates.map(({ vmid, config }) => [vmid, config.cores, config.memory])).toEqual([
      [998, '4', '4096'],
      [999, '8', '8192'],
    ])
    expect(status.addons.map(({ name, healthy: well }) => [name, well])).toEqual(
      expect.arrayContaining([
        ['proxmox_ccm', true],
        ['prometheus_crds', true],
        ['flux', true],
      ]),
    )
    expect(stage.lab.network.resolve('10.20.0.5', 6443)).toBeDefined()
    const before = mutatingCalls(stage.lab)
    await expect(stage.destroy()).rejects.toThrow(/protected/)
    expect(mutatingCalls(stage.lab)).toEqual(before)
  })
})

describe('fluodata', () => {
  test('gets names and addresses by DHCP, has second disks for Longhorn, Cilium before Argo CD, and is switched off rather than asked to shut down', async () => {
    stage = await anExample('fluodata')
    const status = await healthy()
    expect(status.machines.map(({ name, vmid, address }) => [name, vmid, address])).toEqual([
      ['cp-0', 110, '10.10.0.10'],
      ['worker-0', 120, '10.10.0.20'],
      ['worker-1', 121, '10.10.0.21'],
    ])
    expect(
      vms()
        .filter(({ config }) => config.scsi1 !== undefined)
        .map(({ vmid }) => vmid),
    ).toEqual([120, 121])
    expect(status.addons.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['cilium', 'longhorn', 'traefik', 'argocd']),
    )
    const installed = stage.events.flatMap((event) =>
      event.type === 'step.finished' && /^install-addon.*"(cilium|argocd)"/.test(event.step) ? [event.step] : [],
    )
    expect(installed.map((step) => /cilium|argocd/.exec(step)?.[0])).toEqual(['cilium', 'argocd'])
    await stage.destroy()
    expect(vms()).toEqual([])
    const asked = stage.lab.proxmox.requests().filter(({ path }) => path.endsWith('/status/shutdown'))
    expect(asked).toEqual([])
  })
})
