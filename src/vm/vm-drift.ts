import { canonicalJson } from '../cluster/canonical.js'
import { deriveMac } from '../cluster/identity.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Change } from '../events/plan-view.js'
import { readMark } from '../ownership/mark.js'
import { optionText } from '../proxmox/model/option-text.js'
import { flag } from '../proxmox/model/options/codec.js'
import { parseAgent } from '../proxmox/model/options/hardware.js'
import { parseNet, writeNet } from '../proxmox/model/options/net.js'
import { readOption } from '../proxmox/model/options/read-option.js'
import { parseSmbios } from '../proxmox/model/options/smbios.js'
import { parseTags, writeTags } from '../proxmox/model/options/tags.js'
import { parsePropertyString } from '../proxmox/model/property-string.js'
import { withFlags } from './disk-flags.js'

/** A VM option that differs from the wanted one. */
export interface WrongOption {
  readonly key: string
  readonly actual: string | undefined
  /** `undefined`: the option is no longer wanted. */
  readonly wanted: string | undefined
  /** Running VMs apply it only at a cold start. */
  readonly needsRestart: boolean
}

type Options = Readonly<Record<string, string>>

/** What the VM of a machine is compared with. */
export type WantedVm = Pick<DesiredMachine, 'machine' | 'options' | 'disks'>

/** Options that a running VM applies at once; all others need a cold start. */
const live = new Set(['name', 'onboot', 'startup', 'tags', 'description', 'protection'])

/**
 * Options that ichor sets and that differ. What ichor did not write is never drift. If a change is pending until a cold
 * start, `running` holds the current value of the VM: restoring that needs no cold start.
 */
export function wrongOptions(
  wanted: WantedVm,
  desired: { readonly cluster: Pick<Desired['cluster'], 'name' | 'tags'> },
  actual: Options,
  running: Options = {},
): WrongOption[] {
  const kept = new Set(wanted.machine.adopted?.keep)
  const runsWith = (key: string, should: string | undefined) =>
    should !== undefined && running[key] !== undefined && sameOption(key, running[key], should)
  const differing = Object.entries(madeOptions(wanted))
    .map(([key, value]) => ({ key, wanted: optionText(value) }))
    .filter(({ key, wanted: should }) => !sameOption(key, actual[key], should))
    .map(({ key, wanted: should }) => ({ key, wanted: isNic(key) ? withOwnSettings(actual[key], should) : should }))
  const wrong = [...differing, ...wrongDisks(wanted, actual), ...unwanted(wanted, desired, actual)]
    .filter(({ key }) => !kept.has(key))
    .map(({ key, wanted: should }) => {
      const isLive = live.has(key) || (isNic(key) && isPlugged(actual))
      return { key, actual: actual[key], wanted: should, needsRestart: !isLive && !runsWith(key, should) }
    })
  const tags = missingTags(desired.cluster.tags, actual)
  return tags === undefined
    ? wrong
    : [...wrong, { key: 'tags', actual: actual.tags, wanted: tags, needsRestart: false }]
}

/** Protection is set when the machine is made: before, it would prevent the deletion of its seed. */
function madeOptions({ machine, options }: WantedVm): DesiredMachine['options'] {
  return machine.isProtected ? { ...options, protection: true } : options
}

/** The change that corrects them; `undefined` removes an option. */
export function changedOptions(wrong: readonly WrongOption[]): Record<string, string | undefined> {
  return Object.fromEntries(wrong.map(({ key, wanted }) => [key, wanted]))
}

/** Existing disks whose flags differ from the inventory. */
function wrongDisks({ disks }: WantedVm, actual: Options) {
  return disks.flatMap(({ slot, flags }) => {
    const should = withFlags(actual[slot], flags)
    return should === undefined ? [] : [{ key: slot, wanted: should }]
  })
}

/**
 * Options that can disappear from an inventory, and that ichor then removes if its mark records that ichor has set
 * them.
 */
const removable = /^(hostpci\d+|startup|protection)$/

/** For the mark: which of these options the VM has from ichor, once `wrong` is corrected. */
export function removableKeys(
  before: string | undefined,
  options: DesiredMachine['options'],
  wrong: readonly WrongOption[],
): string {
  const gone = new Set(wrong.filter(({ wanted }) => wanted === undefined).map(({ key }) => key))
  const keys = [...(before?.split(',') ?? []), ...Object.keys(options), ...wrong.map(({ key }) => key)]
  return [...new Set(keys)].filter((key) => removable.test(key) && !gone.has(key)).join(',')
}

/** A NIC, whose change a running VM applies at once. */
export function isNic(key: string): boolean {
  return /^net\d+$/.test(key)
}

/** NICs change on a running VM, unless hotplug was switched off. */
function isPlugged({ hotplug = '1' }: Options): boolean {
  return hotplug === '1' || hotplug.split(/[,;]/).includes('network')
}

/**
 * Leftovers of an earlier spec: switches that are off now, and NICs whose MAC shows that they were made for this
 * machine.
 */
function unwanted(
  wanted: WantedVm,
  { cluster }: { readonly cluster: Pick<Desired['cluster'], 'name'> },
  actual: Options,
) {
  const { machine, options } = wanted
  const isOn = { agent: parseAgent(actual.agent ?? '').enabled, numa: flag.read(actual.numa ?? '') }
  const on = (['agent', 'numa'] as const).filter((key) => !(key in options) && isOn[key])
  const nics = Object.keys(actual).filter((key) => {
    if (!isNic(key) || key in options) return false
    const own = deriveMac(cluster.name, machine.name, Number(key.slice('net'.length)))
    return parseNet(actual[key] ?? '').mac === own
  })
  const set = readMark(actual.description)?.mark.more?.set?.split(',') ?? []
  const left = set.filter((key) => removable.test(key) && !(key in madeOptions(wanted)) && actual[key] !== undefined)
  return [
    ...on.map((key) => ({ key, wanted: flag.write(false) })),
    ...[...nics, ...left].map((key) => ({ key, wanted: undefined })),
  ]
}

/** All our tags and the user's own; `undefined` if none is missing, or if this token may not set them. */
export function missingTags(ours: readonly string[], { tags, description }: Options): string | undefined {
  if (readMark(description)?.mark.more?.tags === 'forbidden') return undefined
  const there = parseTags(tags ?? '')
  const missing = ours.filter((tag) => !there.includes(tag))
  return missing.length === 0 ? undefined : writeTags([...there, ...missing])
}

/** Settings that the inventory controls, also by omitting them. */
const ownSettings = ['vlan', 'mtu'] as const

/** The same values in any order; other values may have been added. A NIC has no VLAN or MTU except the wanted ones. */
function sameOption(key: string, actual: string | undefined, wanted: string): boolean {
  if (actual === undefined) return wanted === '' || (wanted === flag.write(false) && key === 'onboot')
  if (actual === wanted) return true
  if (key === 'smbios1') return sameSmbios(actual, wanted)
  const [is, should] = [readOption(key, actual), readOption(key, wanted)]
  const isMore = isNic(key) && ownSettings.some((name) => is[name] !== undefined && should[name] === undefined)
  return !isMore && Object.entries(should).every(([name, value]) => canonicalJson(is[name]) === canonicalJson(value))
}

/** A VM from before machines had serial numbers keeps none. */
function sameSmbios(actual: string, wanted: string): boolean {
  const [is, should] = [parseSmbios(actual), parseSmbios(wanted)]
  const hasSerial = is.serial === undefined || should.serial === undefined || is.serial === should.serial
  return hasSerial && is.uuid?.toLowerCase() === should.uuid?.toLowerCase()
}

/** A NIC as wanted, with the settings that were added by hand. */
function withOwnSettings(actual: string | undefined, wanted: string): string {
  const { vlan: _vlan, mtu: _mtu, ...theirs } = parseNet(actual ?? '')
  return writeNet({ ...theirs, ...parseNet(wanted) })
}

/** The settings of a NIC that differ. */
export function nicChanges(actual: string | undefined, wanted: string | undefined): Change[] {
  const [is, should] = [actual, wanted].map((text) => parsePropertyString(writeNet(parseNet(text ?? ''))))
  const names = [...new Set([...(is?.keys() ?? []), ...(should?.keys() ?? [])])]
  return names
    .filter((name) => is?.get(name) !== should?.get(name))
    .map((name) => ({ what: name, from: is?.get(name) ?? null, to: should?.get(name) ?? null }))
}
