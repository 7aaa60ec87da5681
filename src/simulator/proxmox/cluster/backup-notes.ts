import { badParameters } from '../api-error.js'
import { type Call, find } from '../http/call.js'
import type { VmState } from '../state.js'

const variables = /^(cluster|guestname|node|vmid)$/

/** Refuses a template with unknown escapes or variables. */
export function refuseBadNotes(call: Call): void {
  const template = find(call, 'notes-template')
  if (template === undefined) return
  if (template.includes('\n')) throw badParameters({ 'notes-template': 'contains a line feed\n' })
  const problems = [
    ...[...template.matchAll(/\\(.)/g)]
      .filter(([, char = '']) => !/^[n\\]$/.test(char))
      .map((match) => `escape sequence '\\${match[1] ?? ''}' at char ${match.index}`),
    ...[...template.matchAll(/\{\{([^\s{}]+)\}\}/g)]
      .filter(([, name = '']) => !variables.test(name))
      .map(
        (match) => `variable '${match[1] ?? ''}' at char ${match.index + match[0].length - (match[1] ?? '').length}`,
      ),
  ]
  if (problems.length > 0) throw badParameters({ 'notes-template': `found unknown: ${problems.join(', ')}\n` })
}

/** The notes that a backup of this VM gets. */
export function notesFor(call: Call, vm: VmState): string | undefined {
  const template = find(call, 'notes-template')
  if (template === undefined || template === '') return undefined
  const { state } = call.datacenter
  const values: Record<string, string> = {
    cluster: Object.keys(state.hosts).length > 1 ? state.clusterName : 'standalone node',
    guestname: vm.config.name ?? `VM ${vm.vmid}`,
    node: call.host,
    vmid: String(vm.vmid),
  }
  return template
    .replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
    .replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}
