import { type Check, expect } from '../check.js'

/** The node is the one that the seed describes. */
export const identityChecks: readonly Check[] = [
  {
    title: 'it runs the Talos of the inventory on the platform that reads seeds',
    run: async ({ node, signal }) => {
      const { tag, platform, mode } = await node.version(signal)
      expect(`${tag} ${platform} ${mode}` === 'v1.13.9 nocloud cloud', `it says ${tag} ${platform} ${mode}`)
    },
  },
  {
    title: 'its UUID is that of the VM',
    run: async ({ node, subject, signal }) => {
      const uuid = await node.resources.systemUuid(signal)
      expect(uuid === subject.machine.identity.uuid, `it says ${uuid}`)
    },
  },
  {
    title: 'it has the address of the inventory, and no other',
    run: async ({ node, subject, signal }) => {
      const addresses = await node.resources.nodeAddresses(signal)
      expect(addresses.join() === subject.address, `it says ${addresses.join()}`)
    },
  },
  {
    title: 'it has its name',
    run: async ({ node, subject, signal }) => {
      const found = await node.resources.find('HostnameStatuses.net.talos.dev', 'network', 'hostname', signal)
      const said = JSON.stringify(found?.spec)
      expect(said?.includes(`"${subject.machine.name}"`) === true, `it says ${said}`)
    },
  },
  {
    title: 'it runs the config that it was given',
    run: async ({ node, subject, signal }) => {
      const active = await node.resources.machineConfig(signal)
      expect(active === subject.config, 'the active config differs from the rendered one')
    },
  },
]
