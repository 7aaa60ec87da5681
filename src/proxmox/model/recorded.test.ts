import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProxmoxPort } from '../client/port.js'
import { connectTo, startTinyServer, type TinyServer } from '../client/testing/tiny-server.js'
import { ProxmoxError } from './proxmox-error.js'

interface Exchange {
  readonly title: string
  readonly note?: string
  readonly request: { readonly method: string; readonly path: string }
  readonly response: {
    readonly status: number
    readonly reason: string
    readonly body: unknown
    readonly bodyIsJson?: boolean
  }
}

const folder = join(process.env.ICHOR_SHARED ?? '../shared', 'reference', 'pve-transcripts')
const isThere = existsSync(folder)
if (!isThere) console.log(`skipped: no recordings of Proxmox in ${folder} (set ICHOR_SHARED to where they are)`)

const signal = new AbortController().signal
const recorded = (file: string): Exchange[] => JSON.parse(readFileSync(join(folder, file), 'utf8')).exchanges
const vm = { host: 'pve', vmid: 101 }

describe.skipIf(!isThere)('what a real Proxmox sent', () => {
  let server: TinyServer
  let proxmox: ProxmoxPort
  beforeEach(async () => {
    server = await startTinyServer()
    proxmox = connectTo([server])
  })
  afterEach(async () => {
    await proxmox.close()
    await server.close()
  })

  /** The server responds with that recording, whatever the path. */
  const play = (file: string, title: string) => {
    const found = recorded(file).find((exchange) => exchange.title === title)
    if (found === undefined) throw new Error(`${file} has no "${title}"`)
    const path = found.request.path.replace('/api2/json', '').replace('@', '%40').split('?')[0]
    server.on.set(`${found.request.method} ${path}`, (_seen, response) => {
      response.writeHead(found.response.status, found.response.reason, {
        'Content-Type': 'application/json;charset=UTF-8',
      })
      response.end(
        found.response.bodyIsJson === false ? String(found.response.body) : JSON.stringify(found.response.body),
      )
    })
  }

  test('high availability of Proxmox 8: its resources and groups', async () => {
    play('18-ha-sdn-misc.json', 'ha list')
    play('18-ha-sdn-misc.json', 'ha groups')
    expect(await proxmox.highAvailability.read(8, signal)).toEqual({
      resources: expect.arrayContaining([
        expect.objectContaining({ vmid: 101, state: 'stopped', comment: 'c' }),
        expect.objectContaining({ vmid: 102, state: 'ignored', maxRestart: 1, maxRelocate: 1 }),
      ]),
      groups: expect.arrayContaining([{ id: 'g1', hosts: ['pve'], restricted: true }]),
      rules: [],
    })
  })

  test.each<[string, string, (port: ProxmoxPort) => Promise<unknown>, unknown]>([
    [
      '02-cluster-node.json',
      'version',
      (port) => port.cluster.version(signal),
      { version: '8.4.21', major: 8, minor: 4, canImportImages: true },
    ],
    [
      '02-cluster-node.json',
      'cluster status (not clustered)',
      (port) => port.cluster.status(signal),
      { quorate: true, hosts: [{ name: 'pve', online: true, address: '192.0.2.10' }] },
    ],
    [
      '02-cluster-node.json',
      'node network list, type=any_bridge',
      (port) => port.hosts.bridges('pve', signal),
      [{ name: 'vmbr0', cidr: '192.0.2.10/24', vlanAware: false, ports: [] }],
    ],
    [
      '04-storage.json',
      'content filter iso',
      (port) => port.storage.content('pve', 'local', 'iso', signal),
      [{ volid: 'local:iso/tiny.iso', content: 'iso', format: 'iso', size: 360448 }],
    ],
    [
      '09-qemu-agent.json',
      'agent answering: network-get-interfaces',
      (port) => port.agent.findAddresses({ host: 'pve', vmid: 120 }, signal),
      expect.arrayContaining([
        { name: 'eth0', mac: 'BC:24:11:E3:66:FC', addresses: ['192.0.2.50', 'fe80::be24:11ff:fee3:66fc'] },
      ]),
    ],
    [
      '09-qemu-agent.json',
      'agent configured but not answering: network-get-interfaces',
      (port) => port.agent.findAddresses({ host: 'pve', vmid: 123 }, signal),
      undefined,
    ],
    [
      '15-pools.json',
      'get nested via query',
      (port) => port.pools.find('prod/web', signal),
      { id: 'prod/web', comment: '', vmids: [] },
    ],
    [
      '15-pools.json',
      'get with members type=qemu',
      (port) => port.pools.find('prod', signal),
      { id: 'prod', comment: 'production ✓', vmids: expect.arrayContaining([101, 102]) },
    ],
    [
      '16-access.json',
      'list tokens',
      (port) => port.access.findTokens('bob@pve', signal),
      expect.arrayContaining([{ name: 'ci', separated: true, comment: 'ci token', expire: 0 }]),
    ],
    [
      '17-firewall.json',
      'vm options after',
      (port) => port.firewall.options({ kind: 'vm', vm }, signal),
      {
        options: { policy_in: 'DROP', macfilter: '0', enable: '1', dhcp: '1', log_level_in: 'info' },
        digest: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ],
    [
      '17-firewall.json',
      'group rules',
      (port) => port.firewall.rules({ kind: 'group', group: 'web' }, signal),
      {
        rules: [{ type: 'in', action: 'ACCEPT', enabled: false, match: { macro: 'HTTP' } }],
        digest: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ],
    [
      '08-qemu-lifecycle.json',
      'status while paused',
      (port) => port.machines.findStatus({ host: 'pve', vmid: 121 }, signal),
      { status: 'running', qmpStatus: 'paused', uptime: 14, haManaged: false },
    ],
    [
      '13-tasks-migrate-backup.json',
      'active tasks',
      (port) => port.tasks.running('pve', signal),
      [expect.objectContaining({ type: 'qmshutdown', id: '142', user: 'root@pam!lab', host: 'pve' })],
    ],
  ])('%s: "%s" is read', async (file, title, ask, expected) => {
    play(file, title)
    expect(await ask(proxmox)).toEqual(expected)
  })

  test('resources of every type are distinguished, with an emptied tag list as none', async () => {
    play('02-cluster-node.json', 'cluster resources')
    const { hosts, guests, storages } = await proxmox.cluster.resources(signal)
    expect(hosts).toMatchObject([
      { name: 'pve', online: true, maintenance: false, cpus: 2, memory: 25274793984, memoryUsed: 1761378304 },
    ])
    expect(guests.find(({ vmid }) => vmid === 101)).toMatchObject({
      name: 'UPPER-Case',
      tags: [],
      kind: 'qemu',
      status: 'stopped',
    })
    expect(storages.map(({ storage }) => storage).sort()).toEqual(['local', 'vmdata'])
  })

  test('only what waits for a restart is pending', async () => {
    play('07-qemu-config.json', 'pending')
    for (const { key, pending, isDeleted } of await proxmox.machines.pending(vm, signal)) {
      expect([key, pending !== undefined || isDeleted]).toEqual([key, true])
    }
  })

  test('nine of ten recorded refusals have a meaning of their own', () => {
    const files = [
      '06-qemu-create.json',
      '08-qemu-lifecycle.json',
      '10-disk-resize-move.json',
      '11-clone-template.json',
      '14-permissions.json',
      '15-pools.json',
      '16-access.json',
      '22-killed-workers.json',
    ]
    const refusals = files
      .flatMap(recorded)
      .filter(({ response, note }) => response.status >= 400 && !note?.startsWith('NOT authoritative'))
    const kinds = refusals.map(({ request: { method, path }, response: { status, reason, body } }) => {
      const { message, errors } = (body ?? {}) as { message?: string; errors?: Record<string, string> }
      return new ProxmoxError({
        method,
        path,
        status,
        reason: message ?? reason,
        outcome: 'failed',
        ...(errors === undefined ? {} : { errors }),
      }).kind
    })
    expect(kinds.filter((kind) => kind !== 'other').length / kinds.length).toBeGreaterThan(0.9)
  })
})
