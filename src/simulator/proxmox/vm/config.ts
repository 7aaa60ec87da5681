import { createHash } from 'node:crypto'
import type { Datacenter } from '../datacenter.js'
import { ruleFor } from '../schema/verify.js'
import type { VmState } from '../state.js'
import { optionRules } from './drive.js'

const internal = new Set(['parent', 'snaptime', 'vmstate', 'runningmachine', 'runningcpu'])

/** The text of Proxmox's config file: sorted, followed by the pending section and the snapshots. */
function fileText({ config, pending, pendingDelete, snapshots }: VmState): string {
  const lines = (section: Record<string, string>) =>
    Object.keys(section)
      .sort()
      .map((key) => `${key}: ${section[key] ?? ''}`)
  const sections = [lines(config).join('\n')]
  const changes = [...Object.keys(pendingDelete).map((key) => `delete: ${key}`), ...lines(pending)]
  if (changes.length > 0) sections.push(`[PENDING]\n${changes.join('\n')}`)
  for (const [name, snapshot] of Object.entries(snapshots))
    sections.push(`[${name}]\n${lines(snapshot.config).join('\n')}\n${snapshot.description}`)
  return sections.join('\n')
}

export function digestOf(vm: VmState): string {
  return createHash('sha1').update(fileText(vm)).digest('hex')
}

/** A value with its API type: whole numbers and switches as numbers, all else as text. */
export function typed(pve: 8 | 9, key: string, value: string): string | number {
  const type = ruleFor(optionRules(pve), key)?.type
  return (type === 'integer' || type === 'boolean') && /^-?\d+$/.test(value) ? Number(value) : value
}

/** The configuration as GET shows it. */
export function showConfig({ pve }: Datacenter, vm: VmState, isCurrent: boolean): Record<string, unknown> {
  const merged = isCurrent ? vm.config : pendingConfig(vm)
  return { ...showOptions(pve, merged), digest: digestOf(vm) }
}

export function showOptions(pve: 8 | 9, config: Readonly<Record<string, string>>): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(config)) {
    if (internal.has(key) && key !== 'parent') continue
    shown[key] =
      key === 'cipassword'
        ? '**********'
        : key === 'description'
          ? value.replace(/\s+$/, '\n').replace(/\n$/, '')
          : typed(pve, key, value)
  }
  return shown
}

/** The config once everything pending is applied. */
export function pendingConfig({ config, pending, pendingDelete }: VmState): Record<string, string> {
  const merged = { ...config, ...pending }
  for (const key of Object.keys(pendingDelete)) delete merged[key]
  return merged
}

export function memoryOf(config: Readonly<Record<string, string>>): number {
  const text = (config.memory ?? '512').replace(/^current=/, '')
  return Number(text) * 1024 ** 2
}

export function coresOf(config: Readonly<Record<string, string>>): number {
  const total = Number(config.cores ?? 1) * Number(config.sockets ?? 1)
  return config.vcpus === undefined ? total : Number(config.vcpus)
}

export function bootOrderOf(config: Readonly<Record<string, string>>): string[] {
  const order = /order=([^,]*)/.exec(config.boot ?? '')?.[1]
  return order === undefined ? [] : order.split(';').filter(Boolean)
}

/** A blank means "nothing boots". */
export function printBootOrder(order: readonly string[]): string {
  return order.length === 0 ? ' ' : `order=${order.join(';')}`
}
