import { isProxmoxError } from '../model/proxmox-error.js'
import { type Fields, fieldsOf, findText, listOf, optional, text } from './fields.js'
import { pathOf } from './machines.js'
import type { AgentCalls, GuestInterface } from './port.js'
import { ignoreError } from './tolerance.js'
import type { ProxmoxApi } from './transport/api.js'

export function agentCalls(api: ProxmoxApi): AgentCalls {
  return {
    findAddresses: async (vm, signal) => {
      try {
        const answer = fieldsOf(await api.get(`${pathOf(vm)}/agent/network-get-interfaces`, {}, signal))
        return Array.isArray(answer.result) ? listOf(answer.result).map(readInterface) : undefined
      } catch (thrown) {
        // A VM that migrates during the call is no longer on this host.
        if (isProxmoxError(thrown, 'agent', 'not-running', 'busy', 'no-vm')) return undefined
        throw thrown
      }
    },
    answers: async (vm, signal) => {
      const answer = await ignoreError('agent', api.get(`${pathOf(vm)}/agent/info`, {}, signal), undefined)
      const { result } = fieldsOf(answer)
      return answer !== undefined && fieldsOf(result).error === undefined
    },
  }
}

function readInterface(entry: Fields): GuestInterface {
  return {
    name: text(entry, 'name'),
    addresses: listOf(entry['ip-addresses']).map((address) => text(address, 'ip-address')),
    ...optional('mac', findText(entry, 'hardware-address')?.toUpperCase()),
  }
}
