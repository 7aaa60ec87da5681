import type { AgentAnswer } from '../../src/simulator/core/guest.js'

const linkLocal = { 8: 'fe80::be24:11ff:fee3:66fc', 9: 'fe80::be24:11ff:fe1f:8d49' }
const mac = { 8: 'bc:24:11:e3:66:fc', 9: 'bc:24:11:1f:8d:49' }

/** The agent of the guest that was recorded. */
export function recordedAgent(pve: 8 | 9): AgentAnswer {
  const interfaces = [
    {
      name: 'lo',
      mac: '00:00:00:00:00:00',
      addresses: [
        { address: '127.0.0.1', prefix: 8 },
        { address: '::1', prefix: 128 },
      ],
    },
    {
      name: 'eth0',
      mac: mac[pve],
      addresses: [
        { address: '192.0.2.50', prefix: 24 },
        { address: linkLocal[pve], prefix: 64 },
      ],
    },
  ]
  return { hostname: 'guest-vm', interfaces }
}
