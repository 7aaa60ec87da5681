import { expect, test } from 'vitest'
import { poolMoves } from './pool-moves.js'
import { aFoundMachine } from './testing/a-found-machine.js'

const machine = (vmid: number, pool?: string) => {
  const found = aFoundMachine({
    name: `wk-${vmid}`,
    vmid,
    host: 'pve1',
    mac: 'BC:24:11:00:00:01',
    address: '10.0.10.71',
  })
  return pool === undefined ? found : { ...found, vm: { ...found.vm, pool } }
}
const facts = {
  acl: [
    { path: '/pool/theirs', subject: 'anna@pve', role: 'PVEVMAdmin' },
    { path: '/pool/ichor-home', subject: 'ichor-home@pve', role: 'ichor-home-pool-1' },
    { path: '/vms/701', subject: 'bob@pve', role: 'PVEVMUser' },
  ],
  jobs: [
    { id: 'nightly', what: { pool: 'theirs' } },
    { id: 'weekly', what: { pool: 'ichor-home' } },
    { id: 'by-number', what: { vmids: [701] } },
  ],
  ha: { resources: [{ vmid: 702 }], rules: [{ id: 'apart', vmids: [702] }] },
}

test('rights and backup jobs that change with the pool are named for each VM; what stays is not', () => {
  expect(poolMoves([machine(701, 'theirs'), machine(702), machine(703, 'ichor-home')], 'ichor-home', facts)).toEqual([
    'VM 701 (wk-701), out of theirs',
    '  loses the rights of anna@pve as PVEVMAdmin',
    '  gets the rights of ichor-home@pve as ichor-home-pool-1',
    '  leaves the backup jobs nightly',
    '  joins the backup jobs weekly',
    'VM 702 (wk-702)',
    '  gets the rights of ichor-home@pve as ichor-home-pool-1',
    '  joins the backup jobs weekly',
    '  HA keeps it, by the rules apart: that does not change',
  ])
})
