import { expect, test } from 'vitest'
import { aTalosMachine, aVm, stateText } from '../../../tests/support/terraform-state.js'
import { aFoundMachine } from '../testing/a-found-machine.js'
import { forgetCommands, terraformDifferences } from './terraform-differences.js'
import { readTerraformState } from './terraform-state.js'

const mac = 'BC:24:11:00:00:01'

test('VMs, configs and nodes of a state are read, whatever module and index they have', () => {
  const config = 'machine:\n  type: controlplane\n'
  const text = stateText([
    aVm({ module: 'module.nodes["home"]', index: 'cp-1', vmid: 701, host: 'pve1', mac }),
    aTalosMachine({ index: 0, node: '10.0.10.71', config }),
    { mode: 'data', type: 'talos_client_configuration', name: 'this', attributes: { endpoints: ['10.0.10.72'] } },
  ])
  const state = readTerraformState(text, 'state.json')
  expect(state.vms).toEqual([
    {
      resource: 'module.nodes["home"].proxmox_virtual_environment_vm.this["cp-1"]',
      vmid: 701,
      host: 'pve1',
      macs: [mac],
    },
  ])
  expect(state.nodes).toEqual(['10.0.10.71', '10.0.10.72'])
  expect(state.talosResources).toEqual(['talos_machine_configuration_apply.this[0]'])
})

test.each([
  ['an encrypted state', { encrypted_data: 'x', lineage: 'y' }, 'OpenTofu has encrypted it'],
  ['the output of show', { format_version: '1.0', values: {} }, 'show -json'],
  ['a state of version 3', { version: 3, modules: [] }, 'not version 4'],
  ['a list', [], 'not version 4'],
])('%s is refused', (_, content, problem) => {
  expect(() => readTerraformState(JSON.stringify(content), 'state.json')).toThrow(problem)
})

test('a VM that moved, one that the state lacks and a config that was not applied are listed without any value', () => {
  const first = aFoundMachine({ name: 'cp-1', vmid: 701, host: 'pve1', mac, address: '10.0.10.71' })
  const second = aFoundMachine({
    name: 'wk-1',
    vmid: 702,
    host: 'pve2',
    mac: 'BC:24:11:00:00:02',
    address: '10.0.10.72',
  })
  const applied = 'machine:\n  type: worker\n  sysctls: { vm.swappiness: "1" }\n  token: canary-token\n'
  const text = stateText([
    aVm({ vmid: 701, host: 'pve3', mac }),
    // The number of a VM of the cluster by now, and another MAC.
    aVm({ name: 'foreign', vmid: 702, host: 'pve2', mac: 'BC:24:11:99:99:99' }),
    aTalosMachine({ node: '10.0.10.72', config: applied }),
  ])
  const found = { machines: [first, second], leftOut: [] }
  const state = readTerraformState(text, 'state.json')
  const differences = terraformDifferences(state, found)
  expect(differences).toEqual([
    'proxmox_virtual_environment_vm.this: the state has VM 701 on pve3, and it is on pve1',
    'wk-1: VM 702 is not in the state',
    expect.stringMatching(/^talos_machine_configuration_apply\.this: wk-1 runs something else in .*machine\.sysctls/),
  ])
  expect(differences.join()).not.toContain('canary')
  expect(forgetCommands(state, found)).toEqual([
    'tofu state rm proxmox_virtual_environment_vm.this',
    'tofu state rm talos_machine_configuration_apply.this',
  ])
})

test('a hostile name stays one word of the command', () => {
  const index = "x'; touch /tmp/pwned; '"
  const state = readTerraformState(stateText([aVm({ index, vmid: 701, host: 'pve1', mac })]), 'state.json')
  const found = {
    machines: [aFoundMachine({ name: 'cp-1', vmid: 701, host: 'pve1', mac, address: '10.0.10.71' })],
    leftOut: [],
  }
  expect(forgetCommands(state, found)).toEqual([
    `tofu state rm 'proxmox_virtual_environment_vm.this["x'\\''; touch /tmp/pwned; '\\''"]'`,
  ])
})

test('__proto__ in a state is only a name', () => {
  const text =
    '{"version": 4, "__proto__": {"polluted": true}, "resources": [{"type": "talos_machine", "name": "__proto__", "instances": [{"attributes": {"__proto__": {"node": "x"}}}]}]}'
  expect(readTerraformState(text, 'state.json').nodes).toEqual([])
  expect({}).not.toHaveProperty('polluted')
})
