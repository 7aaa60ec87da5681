import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aWorld } from '../../tests/support/worlds.js'
import type { DesiredMachine } from '../desired/desired.js'
import { fixOfSilent } from './fix-of-silent.js'

async function fixFor(
  machine: string,
  { dhcp = false, address = '', controlPlanes = 1, stage = 'made' as const } = {},
) {
  const desired = await aDesired({ controlPlanes, workers: 1 })
  const withNic = (one: DesiredMachine): DesiredMachine => {
    const [nic, ...nics] = one.machine.nics
    const { address: _, ...rest } = one
    return {
      ...rest,
      ...(address === '' ? {} : { address }),
      machine: { ...one.machine, nics: [{ ...nic, dhcp }, ...nics] },
    }
  }
  const world = aWorld(['pve1'])
  const observed = {
    ...world,
    secrets: { ...world.secrets, bootstrapped: true },
    machines: [
      aSeenMachine(machine, 2000, { mark: { stage, role: /-cp-/.test(machine) ? 'controlplane' : 'worker' } }),
    ],
  }
  return fixOfSilent(machine, aContext({ desired: { ...desired, machines: desired.machines.map(withNic) }, observed }))
}

test('where the address of a silent machine comes from, and what the console may show', async () => {
  const leased = await fixFor('dev-wk-1', { dhcp: true, address: '10.0.10.20' })
  expect(leased).toMatch(/needs the lease 10\.0\.10\.20 for \S+ on vmbr0: ichor render --dhcp dnsmasq/)
  expect(leased).toMatch(/it was wiped: ichor replace dev-wk-1\.$/)
  expect(await fixFor('dev-wk-1', { dhcp: true })).toMatch(/a lease of a DHCP server on vmbr0 .*qemu-guest-agent/)
  expect(await fixFor('dev-wk-1')).not.toContain('DHCP')
})

test('the only control plane takes etcd with it, one of three does not', async () => {
  expect(await fixFor('dev-cp-1')).toMatch(/ichor restore NAME --gone.*ichor up --new-etcd/)
  expect(await fixFor('dev-cp-1', { controlPlanes: 3 })).toMatch(/ichor replace dev-cp-1\.$/)
})
