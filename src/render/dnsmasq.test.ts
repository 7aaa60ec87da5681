import { expect, test } from 'vitest'
import { dnsmasqReservations } from './dnsmasq.js'

test('a reservation has the MAC, the address where there is one, and the hostname', () => {
  const network = {
    cluster: 'dev',
    cidr: '10.0.10.0/24',
    reserved: [{ what: 'VIP', addresses: '10.0.10.5' }],
  }
  const text = dnsmasqReservations(network, [
    { hostname: 'dev-cp-1', mac: 'BC:24:11:00:00:0A', address: '10.0.10.10' },
    { hostname: 'dev-wk-1', mac: 'BC:24:11:00:00:0B' },
    { hostname: 'dev-wk-2', mac: 'BC:24:11:00:00:0C', address: 'fd00::12' },
  ])
  expect(text).toBe(`# DHCP reservations of the cluster dev. Written by: ichor render --dhcp dnsmasq
# Network: 10.0.10.0/24
# Keep out of dhcp-range: 10.0.10.5 (VIP)
dhcp-host=BC:24:11:00:00:0A,10.0.10.10,dev-cp-1
dhcp-host=BC:24:11:00:00:0B,dev-wk-1
dhcp-host=BC:24:11:00:00:0C,[fd00::12],dev-wk-2
`)
})
