import { deriveMac } from '../cluster/identity.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { readMark } from '../ownership/mark.js'
import { optionText } from '../proxmox/model/option-text.js'
import { parseSmbios } from '../proxmox/model/options/smbios.js'
import { parseTags, writeTags } from '../proxmox/model/options/tags.js'

/** An option of the VM that is not as wanted. */
export interface WrongOption {
  readonly key: string
  readonly actual: string | undefined
  /** `undefined`: nobody wants it any more. */
  readonly wanted: string | undefined
  /** Running VMs take it only with a cold start. */
  readonly needsRestart: boolean
}

type Options = Readonly<Record<string, string>>

/** Taken over by a running VM at once; everything else waits for a cold start. */
const live = new Set(['name', 'onboot', 'startup', 'tags', 'description', 'protection'])

/**
 * Options that ichor sets and somebody changed. What ichor did not write is never drift. Where the change still waits for a
 * cold start, `running` says what the VM runs with: to set that back needs none.
 */
export function wrongOptions(
  wanted: DesiredMachine,
  desired: Desired,
  actual: Options,
  running: Options = {},
): WrongOption[] {
  const runsWith = (key: string, should: string | undefined) =>
    should !== undefined && running[key] !== undefined && sameOption(key, running[key], should)
  const differing = Object.entries(wanted.options)
    .map(([key, value]) => ({ key, wanted: optionText(value) }))
    .filter(({ key, wanted: should }) => !sameOption(key, actual[key], should))
    .map(({ key, wanted: should }) => ({ key, wanted: isNic(key) ? withOwnSettings(actual[key], should) : should }))
  const wrong = [...differing, ...unwanted(wanted, desired, actual)].map(({ key, wanted: should }) => {
    const isLive = live.has(key) || (isNic(key) && isPlugged(actual))
    return { key, actual: actual[key], wanted: should, needsRestart: !isLive && !runsWith(key, should) }
  })
  const tags = missingTags(desired.cluster.tags, actual)
  return tags === undefined
    ? wrong
    : [...wrong, { key: 'tags', actual: actual.tags, wanted: tags, needsRestart: false }]
}

/** A NIC whose change a running VM notices at once. */
export function isNic(key: string): boolean {
  return /^net\d+$/.test(key)
}

/** NICs are changed under a running VM, unless somebody has switched that off. */
function isPlugged({ hotplug = '1' }: Options): boolean {
  return hotplug === '1' || hotplug.split(/[,;]/).includes('network')
}

/** What an earlier spec has left: switches that are off now, and NICs whose MAC shows that they were made for this machine. */
function unwanted({ machine, options }: DesiredMachine, { cluster }: Desired, actual: Options) {
  const on = ['agent', 'numa'].filter((key) => !(key in options) && /^(1|enabled=1)(,|$)/.test(actual[key] ?? ''))
  const nics = Object.keys(actual).filter((key) => {
    if (!isNic(key) || key in options) return false
    const mac = parts(key, actual[key] ?? '')
      .get('model')
      ?.split('=')[1]
    return mac?.toUpperCase() === deriveMac(cluster.name, machine.name, Number(key.slice('net'.length)))
  })
  return [...on.map((key) => ({ key, wanted: '0' })), ...nics.map((key) => ({ key, wanted: undefined }))]
}

/** All of ours beside the user's own; `undefined` when none is missing, or when this token may not set them. */
export function missingTags(ours: readonly string[], { tags, description }: Options): string | undefined {
  if (readMark(description)?.mark.more?.tags === 'forbidden') return undefined
  const there = parseTags(tags ?? '')
  const missing = ours.filter((tag) => !there.includes(tag))
  return missing.length === 0 ? undefined : writeTags([...there, ...missing])
}

/** What the inventory speaks of, also by leaving it out. */
const ownSettings = ['tag', 'mtu']

/** Property strings mean the same whatever the order of their parts, and a NIC may have been given more settings. */
function sameOption(key: string, actual: string | undefined, wanted: string): boolean {
  if (actual === undefined) return wanted === '' || (wanted === '0' && key === 'onboot')
  if (actual === wanted) return true
  if (key === 'smbios1') return sameSmbios(actual, wanted)
  if (!wanted.includes(',') && !wanted.includes('=')) return key === 'agent' ? actual.split(',')[0] === wanted : false
  const [is, should] = [parts(key, actual), parts(key, wanted)]
  const isMore = isNic(key) && ownSettings.some((name) => is.has(name) && !should.has(name))
  return !isMore && [...should].every(([name, value]) => is.get(name)?.toLowerCase() === value.toLowerCase())
}

/** A VM from before machines had serial numbers goes on without one. */
function sameSmbios(actual: string, wanted: string): boolean {
  const [is, should] = [parseSmbios(actual), parseSmbios(wanted)]
  const hasSerial = is.serial === undefined || should.serial === undefined || is.serial === should.serial
  return hasSerial && is.uuid?.toLowerCase() === should.uuid?.toLowerCase()
}

/** A NIC as it is wanted, with the settings that somebody else gave it. */
function withOwnSettings(actual: string | undefined, wanted: string): string {
  const should = parts('net', wanted)
  const theirs = [...parts('net', actual ?? '')].filter(([name]) => !should.has(name) && !ownSettings.includes(name))
  return [wanted, ...theirs.map(([name, value]) => `${name}=${value}`)].join(',')
}

/** In words: only what differs. */
export function nicDifference(actual: string | undefined, wanted: string | undefined): string {
  const [is, should] = [parts('net', actual ?? ''), parts('net', wanted ?? '')]
  const names = [...new Set([...is.keys(), ...should.keys()])].filter((name) => is.get(name) !== should.get(name))
  return names.map((name) => `${name} ${is.get(name) ?? 'unset'} -> ${should.get(name) ?? 'unset'}`).join(', ')
}

function parts(key: string, text: string): Map<string, string> {
  if (text === '') return new Map()
  return new Map(
    text.split(',').map((part, index) => {
      const [name = '', ...rest] = part.split('=')
      if (rest.length === 0) return [index === 0 ? 'default' : name, index === 0 ? name : '1'] as const
      const isModel = key.startsWith('net') && index === 0
      return [isModel ? 'model' : name, isModel ? `${name}=${rest.join('=')}` : rest.join('=')] as const
    }),
  )
}
