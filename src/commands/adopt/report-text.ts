import type { Adoption } from '../../operations/adopt/adopt.js'
import { table } from '../../report/table.js'

/** What was found, what is not expressed, and what would happen next. Holds no secret. */
export function reportText({ found, patches, unexpressed, kept, pool, clusterName }: Adoption): string {
  const { machines, leftOut } = found
  const rows = machines.map(({ name, role, address, vm, talos }) => [
    name,
    role === 'worker' ? 'worker' : 'control plane',
    `${vm.vmid} on ${vm.host}`,
    address,
    talos?.version ?? 'off',
    vm.pool ?? '-',
  ])
  const off = machines.filter(({ talos }) => talos === undefined).map(({ name }) => name)
  const versions = new Set(machines.flatMap(({ talos }) => talos?.version ?? []))
  return [
    table(['NODE', 'ROLE', 'VM', 'ADDRESS', 'TALOS', 'POOL'], rows),
    section('Off, and taken over by a later ichor up when they run:', off),
    section(
      'Left out, because they cannot be taken over:',
      leftOut.map(({ name, why }) => `${name}: ${why}`),
    ),
    section(
      'Versions differ; the inventory has the newest, and ichor up would upgrade the others:',
      versions.size > 1 ? [...versions].sort() : [],
    ),
    section(
      'Patches, for what has no key:',
      patches.map(
        ({ path, text, isSecret }) =>
          `${path} (${linesOf(text)} lines${isSecret ? ', holds secrets: kept out of git' : ''})`,
      ),
    ),
    section(
      'Not expressed, so that ichor up would change it:',
      unexpressed.map(
        ({ machine, place, line }) =>
          `${machine}: ${place}${line === undefined ? '' : `, line ${line} of its machine config`}`,
      ),
    ),
    section(
      'Options of VMs that differ from vm and stay as they are:',
      Object.entries(kept).flatMap(([name, keys]) => (keys.length === 0 ? [] : [`${name}: ${keys.join(', ')}`])),
    ),
    section(
      `Into the pool ${pool}, which changes whose rights and which pool-based backup jobs apply to them:`,
      machines
        .filter(({ vm }) => vm.pool !== pool)
        .map(({ name, vm }) => `VM ${vm.vmid} (${name})${vm.pool === undefined ? '' : `, out of ${vm.pool}`}`),
    ),
    `Two tools must not manage ${clusterName} at once. Before ichor up, let the former one go:\n  Terraform or OpenTofu: tofu state list, then tofu state rm ADDRESS for these VMs and the talos_ resources\n  talhelper, topf, scripts: stop applying their configs\n`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function linesOf(text: string): number {
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#')).length
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`
}
