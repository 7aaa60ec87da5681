import type { Status } from '../status/status.js'
import { table } from './table.js'
import type { TextStyle } from './text-style.js'

/** One screen: machines, etcd, endpoint, certificates, drift. */
export function statusText(status: Status, style: TextStyle): string {
  const verdict = status.healthy ? style.green('healthy') : style.red('not healthy')
  const rows = status.machines.map(({ name, role, host, vmid, address, state, talos_version, kubernetes_version }) => [
    name,
    role,
    host ?? '-',
    vmid === null ? '-' : String(vmid),
    address ?? '-',
    state === 'ready' ? style.green(state) : style.yellow(state),
    talos_version ?? '-',
    kubernetes_version ?? '-',
  ])
  return [
    `${style.bold(status.cluster)} is ${verdict}`,
    `endpoint ${status.endpoint ?? 'not known yet'}`,
    '',
    ...hostLines(status, style),
    table(['MACHINE', 'ROLE', 'HOST', 'VMID', 'ADDRESS', 'STATE', 'TALOS', 'KUBERNETES'], rows),
    etcdLine(status.etcd, style),
    ...status.addons.map(
      ({ name, version, healthy, reason }) =>
        `addon ${name} ${version} ${healthy ? style.green('healthy') : `${style.red('not healthy')}: ${reason}`}`,
    ),
    ...status.certificates.map(({ name, expires }) =>
      style.dim(`certificate ${name} is valid until ${expires.slice(0, 10)}`),
    ),
    ...driftLines(status.drift, style),
    ...status.notes.map((text) => `${style.yellow('note')} ${text.replaceAll('\n', '\n     ')}`),
    '',
  ].join('\n')
}

/** A cluster that is not there yet would fill many screens. */
const mostDrift = 12

function driftLines(drift: Status['drift'], style: TextStyle): string[] {
  const label = style.yellow('drift')
  if (drift.length <= mostDrift) return drift.map((text) => `${label} ${text}`)
  const shown = drift.slice(0, mostDrift - 1).map((text) => `${label} ${text}`)
  return [...shown, `${label} and ${drift.length - shown.length} steps more: ichor plan shows them all`]
}

function etcdLine({ members, healthy_members, leader, healthy }: Status['etcd'], style: TextStyle): string {
  if (members === 0) return `etcd: ${style.red('none that answers')}`
  const verdict = healthy ? style.green('healthy') : `${healthy_members} of them ${style.red('healthy')}`
  return `etcd: ${members} member${members === 1 ? '' : 's'}, leader ${leader ?? 'none'}, ${verdict}`
}

function hostLines({ hosts }: Status, style: TextStyle): string[] {
  const shown = hosts.map(
    ({ name, online, machines }) =>
      `${name} ${online ? style.green('online') : style.red('offline')} (${machines.length})`,
  )
  return [`hosts ${shown.join(', ')}`, '']
}
