import type { Role } from '../cluster/machine.js'
import type { PlanRefused } from '../errors.js'
import { longNotes } from '../findings/refusals/machines.js'
import type { Sealer } from './seal.js'

/** The state of a machine in its VM's description, so that no state file is needed. */
export interface Mark {
  /** `clusterMarkId` of the bundle: distinguishes clusters without revealing a secret. */
  readonly cluster: string
  readonly node: string
  readonly role: Role
  readonly vmid: number
  /** SMBIOS UUID, lower case. */
  readonly uuid: string
  /** MAC of net0, upper case. */
  readonly mac: string
  /** `making` until it runs and its seed is deleted; `leaving` from before it is wiped until its VM is deleted. */
  readonly stage: Stage
  /** Hash of the requested hardware. */
  readonly spec: string
  /** Image that the system disk was created from. */
  readonly image: string
  readonly talos: string
  readonly kubernetes: string
  /** On the control plane that bootstraps etcd: `asked` before the call, `done` once etcd was observed. */
  readonly bootstrap?: 'asked' | 'done'
  /** Whatever else a step or a newer ichor recorded: kept unchanged. */
  readonly more?: Readonly<Record<string, string>>
}

/** A clone with the generated identity of its template: only the recorded VMID proves whose it is. */
export function lacksIdentity({ more }: Mark): boolean {
  return more?.identity === 'pending'
}

export type Stage = 'making' | 'made' | 'leaving'

/** A mark as read from a description, and whether it is sealed. */
export interface WrittenMark {
  readonly mark: Mark
  readonly seal?: string
  /** What the seal covers. */
  readonly lines: readonly string[]
}

const opening = '```ichor'
const closing = '```'
const block = /```ichor\r?\n([\s\S]*?)\r?\n```(?=\r?\n|$)/g
/** Maximum length of a description in Proxmox. */
const longestDescription = 8192

/** `undefined` if there is none, or if it cannot be trusted: a part is missing, or there are two. */
export function readMark(description: string | undefined): WrittenMark | undefined {
  const [found, ...others] = [...decoded(description ?? '').matchAll(block)]
  if (found === undefined || others.length > 0) return undefined
  const all = (found[1] ?? '').split(/\r?\n/).map((line) => line.trimEnd())
  const lines = all.filter((line) => !line.startsWith('seal:'))
  const seals = all.filter((line) => line.startsWith('seal:')).map((line) => line.slice('seal:'.length).trim())
  const mark = parseMark(lines)
  if (mark === undefined || seals.length > 1) return undefined
  return { mark, lines, ...(seals[0] === undefined ? {} : { seal: seals[0] }) }
}

/** The description with this mark: it replaces the old one, or is added below the notes, which stay unchanged. */
export function writeMark(description: string, mark: Mark, sealer: Sealer): string {
  const text = formatMark(mark, sealer)
  const notes = decoded(description)
  const isMarked = [...notes.matchAll(block)].length > 0
  const marked = isMarked ? replaceFirst(notes, text) : notes === '' ? text : `${notes}\n\n${text}`
  if (marked.length > longestDescription) throw tooLong(mark, marked.length)
  return marked
}

/** The notes without the mark. */
export function withoutMark(description: string): string {
  return decoded(description).replace(block, '').trimEnd()
}

const known = [
  'cluster',
  'node',
  'role',
  'vmid',
  'uuid',
  'mac',
  'stage',
  'spec',
  'image',
  'talos',
  'kubernetes',
] as const

/** A valid VM and node name: a user who may edit notes could write anything else. */
const nodeName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

function parseMark(text: readonly string[]): Mark | undefined {
  const lines = text.map((line) => /^([\w.-]+): ?(.*)$/.exec(line))
  if (lines.includes(null)) return undefined
  const fields = new Map(lines.flatMap((line) => (line === null ? [] : [[line[1] ?? '', line[2] ?? '']])))
  const get = (key: string) => fields.get(key) ?? ''
  const stage = get('stage')
  const role = get('role')
  const bootstrap = get('bootstrap')
  const isComplete =
    known.every((key) => fields.has(key)) &&
    /^\d+$/.test(get('vmid')) &&
    nodeName.test(get('node')) &&
    fields.size === text.length
  if (!isComplete || !isStage(stage) || (role !== 'controlplane' && role !== 'worker')) return undefined
  const more = [...fields].filter(([key]) => key !== 'bootstrap' && !known.some((name) => name === key))
  return {
    cluster: get('cluster'),
    node: get('node'),
    role,
    vmid: Number(get('vmid')),
    uuid: get('uuid').toLowerCase(),
    mac: get('mac').toUpperCase(),
    stage,
    spec: get('spec'),
    image: get('image'),
    talos: get('talos'),
    kubernetes: get('kubernetes'),
    ...(bootstrap === 'asked' || bootstrap === 'done' ? { bootstrap } : {}),
    ...(more.length > 0 ? { more: Object.fromEntries(more) } : {}),
  }
}

function isStage(text: string): text is Stage {
  return text === 'making' || text === 'made' || text === 'leaving'
}

function formatMark({ bootstrap, more, ...mark }: Mark, sealer: Sealer): string {
  const fields = [
    ...known.map((key) => [key, String(mark[key])] as const),
    ...(bootstrap === undefined ? [] : [['bootstrap', bootstrap] as const]),
    ...Object.entries(more ?? {}),
  ]
  const lines = fields.map(([key, value]) => `${key}: ${oneLine(key, value)}`.trimEnd())
  return [opening, ...lines, `seal: ${sealer.seal(lines)}`, closing].join('\n')
}

function oneLine(key: string, value: string): string {
  if (/[\r\n`]/.test(value)) throw new TypeError(`The ${key} of a mark must be one line without backticks.`)
  return value.trimEnd()
}

function replaceFirst(notes: string, text: string): string {
  let isFirst = true
  return notes.replace(block, () => {
    const kept = isFirst ? text : ''
    isFirst = false
    return kept
  })
}

/** Some Proxmox APIs return newlines encoded, as in its configuration file. */
function decoded(description: string): string {
  if (description.includes('\n') || !description.includes('%0A')) return description
  try {
    return decodeURIComponent(description)
  } catch {
    return description
  }
}

function tooLong({ node, vmid }: Mark, length: number): PlanRefused {
  return longNotes.refuse(
    `The notes of ${node} are too long: with ichor's mark they have ${length} characters, and Proxmox keeps ${longestDescription}.`,
    {
      subject: { kind: 'machine', name: node },
      where: `the notes of VM ${vmid}`,
      fix: 'Shorten the notes of that VM in Proxmox, then run the command again.',
    },
  )
}
