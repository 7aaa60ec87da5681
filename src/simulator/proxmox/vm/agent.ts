import type { AgentAnswer } from '../../core/guest.js'
import { died } from '../api-error.js'
import { getVm } from '../datacenter.js'
import { type Call, type Handler, type Routes, text, vmidOf } from '../http/call.js'
import { isAgentEnabled } from './hardware.js'

const silence = 3000

/** The agent of a running guest, or the original's error. A silent agent takes three seconds. */
async function agentOf(call: Call): Promise<AgentAnswer> {
  const { datacenter, host } = call
  const vm = getVm(datacenter, host, vmidOf(call))
  if (!isAgentEnabled(vm.config)) throw died('No QEMU guest agent configured')
  if (!vm.running) throw died(`VM ${vm.vmid} is not running`)
  const answer = datacenter.machines.find(vm.vmid)?.agent()
  if (answer !== undefined) return answer
  await datacenter.clock.sleep(silence)
  throw died('QEMU guest agent is not running')
}

const noTraffic = {
  'rx-bytes': 0,
  'rx-packets': 0,
  'rx-errs': 0,
  'rx-dropped': 0,
  'tx-bytes': 0,
  'tx-packets': 0,
  'tx-errs': 0,
  'tx-dropped': 0,
}

function interfaces({ interfaces: seen }: AgentAnswer): unknown[] {
  return seen.map(({ name, mac, addresses }) => ({
    name,
    ...(mac === undefined ? {} : { 'hardware-address': mac.toLowerCase() }),
    ...(addresses.length === 0
      ? {}
      : {
          'ip-addresses': addresses.map(({ address, prefix }) => ({
            'ip-address': address,
            'ip-address-type': address.includes(':') ? 'ipv6' : 'ipv4',
            prefix,
          })),
        }),
    statistics: noTraffic,
  }))
}

const talosRelease = {
  id: 'talos',
  name: 'Talos',
  'pretty-name': 'Talos',
  machine: 'x86_64',
  'kernel-release': '6.18.0-talos',
  'kernel-version': '#1 SMP',
  version: '',
  'version-id': '',
}

const answers: Record<string, (agent: AgentAnswer, call: Call) => unknown> = {
  ping: () => ({}),
  info: () => ({
    version: '9.2.0',
    supported_commands: [
      'guest-ping',
      'guest-info',
      'guest-shutdown',
      'guest-network-get-interfaces',
      'guest-get-host-name',
      'guest-get-osinfo',
    ].map((name) => ({ name, enabled: true, 'success-response': true })),
  }),
  'get-osinfo': () => talosRelease,
  'get-host-name': ({ hostname }) => ({ 'host-name': hostname }),
  'get-time': (_, { datacenter }) => datacenter.clock.now() * 1_000_000,
  'get-timezone': () => ({ offset: 0, zone: 'UTC' }),
  'get-vcpus': () => [{ 'can-offline': false, 'logical-id': 0, online: true }],
  'get-users': () => [],
  'get-fsinfo': () => [],
  'get-memory-blocks': () => [0, 1].map((index) => ({ 'can-offline': true, 'phys-index': index, online: true })),
  'get-memory-block-info': () => ({ size: 134_217_728 }),
  'network-get-interfaces': interfaces,
  'fsfreeze-status': () => 'thawed',
  'fsfreeze-freeze': () => 0,
  'fsfreeze-thaw': () => 0,
  fstrim: () => ({ paths: [] }),
}

function ask(command: string): Handler {
  return async (call) => ({ result: answers[command]?.(await agentOf(call), call) ?? {} })
}

async function shutdown(call: Call): Promise<unknown> {
  await agentOf(call)
  call.datacenter.machines.find(vmidOf(call))?.agentShutdown()
  return { result: {} }
}

/** Talos's agent runs no programs and opens no files. */
async function unsupported(call: Call): Promise<never> {
  await agentOf(call)
  throw died('Agent error: The command has been disabled for this instance')
}

async function setPassword(call: Call): Promise<never> {
  await agentOf(call)
  throw died("Agent error: cannot find 'passwd' program in PATH")
}

const commands =
  'exec exec-status file-read file-write fsfreeze-freeze fsfreeze-status fsfreeze-thaw fstrim get-fsinfo get-host-name get-memory-block-info get-memory-blocks get-osinfo get-time get-timezone get-users get-vcpus info network-get-interfaces ping set-user-password shutdown suspend-disk suspend-hybrid suspend-ram'

const base = '/nodes/{node}/qemu/{vmid}/agent'
const posted = new Set(['ping', 'fsfreeze-status', 'fsfreeze-freeze', 'fsfreeze-thaw', 'fstrim'])

export const agentRoutes: Routes = {
  [`GET ${base}`]: () => commands.split(' ').map((name) => ({ name })),
  [`POST ${base}`]: (call) => ask(text(call, 'command'))(call),
  ...Object.fromEntries(
    Object.keys(answers).map((command) => [`${posted.has(command) ? 'POST' : 'GET'} ${base}/${command}`, ask(command)]),
  ),
  [`POST ${base}/shutdown`]: shutdown,
  [`POST ${base}/exec`]: unsupported,
  [`GET ${base}/exec-status`]: unsupported,
  [`GET ${base}/file-read`]: unsupported,
  [`POST ${base}/file-write`]: unsupported,
  [`POST ${base}/set-user-password`]: setPassword,
  [`POST ${base}/suspend-disk`]: unsupported,
  [`POST ${base}/suspend-hybrid`]: unsupported,
  [`POST ${base}/suspend-ram`]: unsupported,
}
