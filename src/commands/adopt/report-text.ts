import { versionsInWords } from '../../cluster/held.js'
import type { Adoption } from '../../operations/adopt/adopt.js'
import { table } from '../../report/table.js'

/** What was found, what is not expressed, and what would happen next. Holds no secret. */
export function reportText(adoption: Adoption): string {
  const { found, patches, unexpressed, kept, runs, pool, clusterName, differences, forget, moves, charts } = adoption
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
  return [
    table(['NODE', 'ROLE', 'VM', 'ADDRESS', 'TALOS', 'POOL'], rows),
    section(
      'Off, so that its config is not known. A later ichor up takes the VM over when it runs, and ichor adopt with the same folder reads its config:',
      off,
    ),
    section(
      'Left out, because they cannot be taken over:',
      leftOut.map(({ name, why }) => `${name}: ${why}`),
    ),
    stayingApart(runs),
    section(
      'Patches, for what has no key:',
      patches.map(
        ({ path, text, isSecret }) =>
          `${path} (${linesOf(text)} lines${isSecret ? ', holds secrets: kept out of git' : ''})`,
      ),
    ),
    notExpressed(unexpressed),
    section('In the given files and not so in what runs, which is what was written:', differences),
    section(
      'Options of VMs that differ from vm and stay as they are:',
      Object.entries(kept).flatMap(([name, keys]) => (keys.length === 0 ? [] : [`${name}: ${keys.join(', ')}`])),
    ),
    section(`Into the pool ${pool}, with what changes for each VM:`, moves),
    section('Charts that run, which ichor leaves alone:', charts),
    letGoText(clusterName, forget),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function letGoText(cluster: string, forget: readonly string[]): string {
  const terraform =
    forget.length === 0
      ? [
          'Terraform or OpenTofu: tofu state list, then tofu state rm ADDRESS for these VMs and the talos_ resources',
          'talhelper, topf, scripts: stop applying their configs',
        ]
      : [...forget, 'and take these resources out of the .tf files, so that they are not made again']
  return `Two tools must not manage ${cluster} at once. Before ichor up, let the former one go:\n${terraform.map((line) => `  ${line}\n`).join('')}`
}

export function stayingApart(runs: Adoption['runs']): string {
  return section(
    'Versions apart from those of the inventory, which stay as they are until ichor upgrade:',
    Object.entries(runs).map(([name, apart]) => `${name}: ${versionsInWords(apart)}`),
  )
}

export function notExpressed(unexpressed: Adoption['unexpressed']): string {
  return section(
    'Not expressed, so that ichor up would change it:',
    unexpressed.map(
      ({ machine, place, line }) =>
        `${machine}: ${place}${line === undefined ? '' : `, line ${line} of its machine config`}`,
    ),
  )
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
