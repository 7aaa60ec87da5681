import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, test } from 'vitest'

/** Which room may import which, in the words of the layout; `(T)` means types only. A room may always import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cluster: [],
  wire: [],
  pki: [],
  reach: ['cluster'],
  secrets: ['cluster', 'pki', 'reach'],
  proxmox: ['cluster', 'reach'],
  'talos/config': ['cluster', 'pki', 'secrets (T)'],
  'talos/clientconfig': ['cluster', 'pki', 'secrets (T)'],
  'talos/image': ['cluster', 'reach'],
  'talos/api': ['cluster', 'reach', 'wire'],
  kubernetes: ['cluster', 'reach'],
  ownership: ['cluster', 'proxmox'],
  health: ['cluster'],
  addons: ['cluster', 'health', 'kubernetes (T)'],
  inventory: ['cluster', 'addons', 'secrets (T)'],
  observe: ['cluster', 'ownership', 'addons', 'inventory (T)'],
  placement: ['cluster', 'inventory (T)', 'observe (T)'],
  desired: ['cluster', 'inventory', 'placement', 'addons', 'talos/config', 'talos/image', 'secrets (T)', 'observe (T)'],
  steps: [
    'cluster',
    'health',
    'ownership',
    'addons',
    'kubernetes',
    'reach',
    'talos/clientconfig',
    'desired (T)',
    'observe (T)',
  ],
  plan: ['cluster', 'placement', 'steps', 'desired (T)', 'observe (T)', 'addons'],
  journal: ['cluster'],
  execute: ['cluster', 'ownership', 'journal', 'steps', 'plan (T)', 'desired (T)', 'observe (T)'],
  access: ['cluster', 'proxmox', 'steps', 'inventory (T)', 'addons'],
  render: ['cluster', 'desired'],
  lab: ['cluster', 'simulator', 'inventory (T)'],
  report: ['* (T)'],
  commands: ['*'],
  simulator: ['wire'],
}

/** Files at the root of `src`: those that any room may import, and those that tie rooms together. */
const anyRoomMayImport = ['errors.ts', 'events.ts', 'nearest.ts']
/** The world and the ports that it consists of are types: whoever is handed one may name them. */
const anyRoomMayImportTypesOf = [
  'world.ts',
  'proxmox/port.ts',
  'talos/api/port.ts',
  'talos/image/port.ts',
  'kubernetes/port.ts',
]

interface Import {
  file: string
  room: string
  target: string
  targetFile: string
  typeOnly: boolean
}

function roomOf(file: string): string {
  const [first = '', second] = file.split('/')
  if (second === undefined) return ''
  return first === 'talos' ? `talos/${second}` : first
}

function importsOf(root: string): Import[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const found = [
        ...text.matchAll(
          /(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^'";]*?\sfrom\s+)?'(\.[^']+)'|import\('(\.[^']+)'\)/g,
        ),
      ]
      return found.map((match) => {
        const path = match[3] ?? match[4] ?? ''
        const targetFile = relative('.', normalize(join(dirname(file), path))).replace(/\.js$/, '.ts')
        return { file, room: roomOf(file), target: roomOf(targetFile), targetFile, typeOnly: match[1] !== undefined }
      })
    })
}

function allowed({ room, target, targetFile, typeOnly }: Import): boolean {
  if (room === target || room === '' || anyRoomMayImport.includes(targetFile)) return true
  if (anyRoomMayImportTypesOf.includes(targetFile)) return typeOnly || room === 'commands'
  if (target === '') return room === 'commands' || (room === 'report' && typeOnly)
  if (room === 'commands') return target !== 'simulator'
  const rules = mayImport[room] ?? []
  if (rules.includes(target) || (rules.includes('simulator') && targetFile === 'simulator/index.ts')) return true
  return typeOnly && (rules.includes(`${target} (T)`) || rules.includes('* (T)'))
}

const imports = importsOf('src')

test('every import goes through a door that the layout has', () => {
  const forbidden = imports
    .filter((found) => !allowed(found))
    .map(({ file, targetFile, typeOnly }) => `${file} -> ${targetFile}${typeOnly ? ' (types)' : ''}`)
  expect(forbidden).toEqual([])
})

test('every room stands in the layout', () => {
  const rooms = new Set(imports.map(({ room }) => room).filter((room) => room !== ''))
  expect([...rooms].filter((room) => mayImport[room] === undefined)).toEqual([])
})

test('rooms make no ring', () => {
  const edges = new Map<string, Set<string>>()
  for (const { room, target, typeOnly } of imports) {
    if (room === target || room === '' || target === '' || typeOnly) continue
    edges.set(room, (edges.get(room) ?? new Set()).add(target))
  }
  const ring = (room: string, path: string[]): string[] | undefined => {
    if (path.includes(room)) return [...path, room]
    for (const next of edges.get(room) ?? []) {
      const found = ring(next, [...path, room])
      if (found !== undefined) return found
    }
    return undefined
  }
  expect([...edges.keys()].map((room) => ring(room, [])).find(Boolean)).toBeUndefined()
})
