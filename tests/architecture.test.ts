import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, test } from 'vitest'

/** Which module may import which; `(T)` means types only. A module may always import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cluster: [],
  wire: [],
  pki: [],
  reach: ['cluster'],
  secrets: ['cluster', 'pki', 'reach'],
  'proxmox/model': ['cluster'],
  'proxmox/client': ['cluster', 'reach', 'proxmox/model'],
  trust: ['cluster', 'reach', 'inventory', 'secrets', 'proxmox/client'],
  'talos/config': ['cluster', 'pki', 'secrets (T)'],
  'talos/clientconfig': ['cluster', 'pki', 'secrets (T)', 'talos/config'],
  'talos/image': ['cluster', 'reach', 'talos/config'],
  'talos/api': ['cluster', 'reach', 'wire'],
  kubernetes: ['cluster', 'reach'],
  ownership: ['cluster', 'proxmox/model'],
  health: ['cluster'],
  addons: ['cluster', 'health', 'kubernetes (T)'],
  inventory: ['cluster', 'addons', 'secrets (T)'],
  observe: ['cluster', 'health', 'ownership', 'addons', 'proxmox/model', 'inventory (T)'],
  placement: ['cluster', 'inventory (T)', 'observe (T)'],
  firewall: ['cluster', 'inventory (T)'],
  desired: [
    'cluster',
    'inventory',
    'placement',
    'firewall',
    'addons',
    'proxmox/model',
    'ownership',
    'talos/config',
    'talos/image',
    'secrets (T)',
    'observe (T)',
  ],
  lock: ['cluster', 'addons', 'desired', 'secrets', 'reach', 'plan (T)'],
  spec: ['cluster', 'lock', 'inventory', 'addons', 'desired', 'secrets', 'reach', 'talos/config'],
  machine: [
    'cluster',
    'health',
    'ownership',
    'addons',
    'kubernetes',
    'reach',
    'proxmox/model',
    'talos/clientconfig',
    'desired (T)',
    'observe (T)',
  ],
  steps: [
    'cluster',
    'machine',
    'health',
    'ownership',
    'addons',
    'kubernetes',
    'reach',
    'proxmox/model',
    'talos/clientconfig',
    'talos/image',
    'desired (T)',
    'observe (T)',
  ],
  plan: ['cluster', 'machine', 'placement', 'steps', 'proxmox/model', 'desired (T)', 'observe (T)', 'addons'],
  change: ['cluster', 'inventory', 'machine', 'desired (T)', 'observe (T)'],
  journal: ['cluster'],
  execute: ['cluster', 'ownership', 'journal', 'steps', 'plan (T)', 'desired (T)', 'observe (T)'],
  backup: ['cluster', 'secrets', 'reach'],
  access: ['cluster', 'proxmox/model', 'proxmox/client', 'steps', 'inventory (T)', 'addons'],
  render: ['cluster', 'desired', 'talos/config'],
  status: ['cluster', 'desired', 'addons (T)', 'inventory (T)', 'observe (T)', 'plan (T)'],
  lab: ['cluster', 'simulator', 'inventory (T)'],
  report: ['* (T)'],
  commands: ['*'],
  simulator: ['wire'],
}

/** Files at the root of `src` that any module may import. */
const anyModuleMayImport = ['errors.ts', 'events.ts', 'make-folder.ts', 'nearest.ts', 'temporary-folder.ts']
/** The world and the ports that it consists of are types: whoever is handed one may name them. */
const anyModuleMayImportTypesOf = [
  'world.ts',
  'proxmox/client/port.ts',
  'talos/api/port.ts',
  'talos/image/port.ts',
  'kubernetes/port.ts',
]

interface Import {
  file: string
  module: string
  target: string
  targetFile: string
  typeOnly: boolean
  /** `import()`: loaded when it is needed. */
  isLazy: boolean
}

function moduleOf(file: string): string {
  const [first = '', second] = file.split('/')
  if (second === undefined) return ''
  return first === 'talos' || first === 'proxmox' ? `${first}/${second}` : first
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
        return {
          file,
          module: moduleOf(file),
          target: moduleOf(targetFile),
          targetFile,
          typeOnly: match[1] !== undefined,
          isLazy: match[4] !== undefined,
        }
      })
    })
}

function allowed({ module, target, targetFile, typeOnly }: Import): boolean {
  if (module === target || module === '' || anyModuleMayImport.includes(targetFile)) return true
  if (anyModuleMayImportTypesOf.includes(targetFile)) return typeOnly || module === 'commands'
  if (target === '') return module === 'commands' || (module === 'report' && typeOnly)
  if (module === 'commands') return target !== 'simulator'
  const rules = mayImport[module] ?? []
  if (rules.includes(target) || (rules.includes('simulator') && targetFile === 'simulator/index.ts')) return true
  return typeOnly && (rules.includes(`${target} (T)`) || rules.includes('* (T)'))
}

const imports = importsOf('src')

test('every import is allowed by the table', () => {
  const forbidden = imports
    .filter((found) => !allowed(found))
    .map(({ file, targetFile, typeOnly }) => `${file} -> ${targetFile}${typeOnly ? ' (types)' : ''}`)
  expect(forbidden).toEqual([])
})

test('every module has a row in the table', () => {
  const modules = new Set(imports.map(({ module }) => module).filter((module) => module !== ''))
  expect([...modules].filter((module) => mayImport[module] === undefined)).toEqual([])
})

test('modules do not import each other in a cycle', () => {
  const edges = new Map<string, Set<string>>()
  for (const { module, target, typeOnly } of imports) {
    if (module === target || module === '' || target === '' || typeOnly) continue
    edges.set(module, (edges.get(module) ?? new Set()).add(target))
  }
  const findCycle = (module: string, path: string[]): string[] | undefined => {
    if (path.includes(module)) return [...path, module]
    for (const next of edges.get(module) ?? []) {
      const found = findCycle(next, [...path, module])
      if (found !== undefined) return found
    }
    return undefined
  }
  expect([...edges.keys()].map((module) => findCycle(module, [])).find(Boolean)).toBeUndefined()
})

test('files do not import each other in a cycle at run time', () => {
  const edges = new Map<string, string[]>()
  for (const { file, targetFile, typeOnly, isLazy } of imports)
    if (!typeOnly && !isLazy) edges.set(file, [...(edges.get(file) ?? []), targetFile])
  const done = new Set<string>()
  const findCycle = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of edges.get(file) ?? []) {
      const found = findCycle(next, [...path, file])
      if (found !== undefined) return found
    }
    done.add(file)
    return undefined
  }
  expect([...edges.keys()].map((file) => findCycle(file, [])).find(Boolean)).toBeUndefined()
})
