import { expect, test } from 'vitest'
import type { GuestResource } from '../proxmox/client/port.js'
import { findCandidates } from './candidates.js'

const guest = (vmid: number, more: Partial<GuestResource> = {}): GuestResource => ({
  host: 'pve1',
  vmid,
  kind: 'qemu',
  status: 'running',
  template: false,
  cpus: 1,
  memory: 1,
  disk: 1,
  tags: [],
  ...more,
})
const signs = { tags: ['ichor-Dev'], pool: 'dev', names: ['dev-cp-1'], vmids: [2000], intent: [2001] }

test.each([
  [guest(100, { tags: ['other', 'ichor-dev'] }), ['tag']],
  [guest(101, { pool: 'dev' }), ['pool']],
  [guest(102, { pool: 'dev/lease-3' }), ['pool']],
  [guest(103, { pool: 'development' }), undefined],
  [guest(104, { name: 'dev-cp-1' }), ['name']],
  [guest(2000, { status: 'unknown' }), ['vmid']],
  [guest(2001, { lock: 'create' }), ['intent']],
  [guest(105, { name: 'games' }), undefined],
  [guest(2000, { kind: 'lxc' }), undefined],
])('%o is looked at because of %o', (one, because) => {
  expect(findCandidates({ guests: [one] }, signs)[0]?.because).toEqual(because)
})
