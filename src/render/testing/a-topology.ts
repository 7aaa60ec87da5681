import { GiB } from '../../cluster/machine.js'
import type { Topology } from '../topology.js'

/** Two hosts with everything that a diagram can show. */
export function aTopology(changes: Partial<Topology> = {}): Topology {
  return {
    cluster: 'dev',
    talosVersion: 'v1.13.9',
    kubernetesVersion: 'v1.36.3',
    endpoint: 'https://10.0.10.5:6443',
    vip: '10.0.10.5',
    jump: 'SSH root@pve1.example.com',
    networks: [
      { name: 'vmbr0, VLAN 240', cidr: '10.0.10.0/24', gateway: '10.0.10.1' },
      { name: 'vmbr1', cidr: '10.9.0.0/24' },
    ],
    hosts: [
      {
        name: 'pve1',
        machines: [
          {
            name: 'dev-cp-1',
            kind: 'controlplane',
            pool: 'controlplane',
            vmid: 2000,
            address: '10.0.10.10',
            cpu: 4,
            memory: 8 * GiB,
            disks: [{ size: 40 * GiB }],
            devices: [],
          },
        ],
        guests: [{ name: 'nas', kind: 'guest', cpu: 6, memory: 32 * GiB, disks: [{ size: 0 }], devices: ['hba'] }],
      },
      {
        name: 'pve2',
        machines: [
          {
            name: 'dev-gpu-1',
            kind: 'worker',
            pool: 'gpu',
            vmid: 3000,
            cpu: 8,
            memory: 16 * GiB,
            disks: [{ size: 60 * GiB }, { size: 200 * GiB, volume: 'longhorn' }],
            devices: ['rtx'],
          },
        ],
        guests: [],
      },
    ],
    ...changes,
  }
}
