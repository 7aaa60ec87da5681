import { defineEnd, defineFault } from './define-fault.js'
import { getMachine } from './machines.js'

/** Hosts are cut off from each other on the cluster network; everything else on the machines' network. */
export const cut = defineFault({
  name: 'cut',
  subject: 'network',
  effect: 'packets between the two sides are lost, or refused',
  needs: ['from', 'to'],
  takes: ['oneWay', 'refused'],
  run: ({ proxmox, network, topology }, { from, to, oneWay = false, refused }) => {
    const hosts = topology.hosts.map(({ name }) => name)
    const how = refused ? 'refuse' : 'swallow'
    if ([...from, ...to].every((side) => hosts.includes(side))) proxmox.trouble.cutHosts(from, to)
    else network.cuts.add({ from, to, how, oneWay })
  },
  end: defineEnd({
    name: 'heal',
    run: ({ proxmox, network, topology }) => {
      const hosts = topology.hosts.map(({ name }) => name)
      network.cuts.remove()
      proxmox.trouble.cutHosts(hosts, hosts, false)
    },
  }),
})

const unduplicate = defineEnd({
  name: 'unduplicate',
  needs: ['address'],
  run: ({ network }, { address }) => network.duplicate(address, false),
})

export const duplicate = defineFault({
  name: 'duplicate',
  subject: 'network',
  effect: 'another device has the same address: every second connection is refused',
  needs: ['address'],
  run: ({ network }, { address }) => network.duplicate(address, undefined),
  end: unduplicate,
})

export const holdVip = defineFault({
  name: 'hold-vip',
  subject: 'network',
  effect: 'that machine also responds on the VIP `--address`: to every second connection',
  needs: ['machine', 'address'],
  run: (lab, { machine, address }) => lab.network.duplicate(address, getMachine(lab, machine).addresses[0]),
  end: unduplicate,
})

export const moveLease = defineFault({
  name: 'move-lease',
  subject: 'network',
  effect: 'the DHCP server gives that machine `--address`, and it moves there at once',
  needs: ['machine', 'address'],
  end: 'the next `move-lease`',
  run: async (lab, { machine, address }) => {
    const { uuid, nics } = getMachine(lab, machine)
    const [nic] = nics
    if (nic === undefined) throw new Error('The machine has no network card.')
    lab.network.moveLease(nic.mac, nic.bridge, address)
    await lab.talos.renewLeases(uuid)
  },
})
