import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, test } from 'vitest'

/** Which module may import which; `(T)` means types only. A module may always import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cluster: [],
  wire: [],
  pki: [],
  reach: ['cluster'],
  secrets: ['findings/refusals', 'cluster', 'pki', 'reach'],
  'proxmox/model': ['cluster'],
  'proxmox/client': ['cluster', 'reach', 'proxmox/model'],
  trust: ['findings/refusals', 'cluster', 'reach', 'inventory', 'secrets', 'proxmox/model', 'proxmox/client', 'backup'],
  'talos/config': ['cluster', 'pki', 'secrets (T)'],
  'talos/clientconfig': ['cluster', 'pki', 'secrets (T)', 'talos/config'],
  'talos/image': ['cluster', 'reach', 'talos/config'],
  'talos/api': ['cluster', 'reach', 'wire'],
  kubernetes: ['cluster', 'reach'],
  ownership: ['findings/refusals', 'cluster', 'proxmox/model'],
  health: ['cluster'],
  addons: ['findings/refusals', 'cluster', 'health', 'kubernetes (T)'],
  inventory: ['cluster', 'addons', 'secrets (T)'],
  observe: ['cluster', 'health', 'ownership', 'addons', 'capabilities/firewall', 'proxmox/model', 'inventory (T)'],
  placement: ['findings/refusals', 'cluster', 'inventory (T)', 'observe (T)'],
  desired: [
    'findings/refusals',
    'cluster',
    'inventory',
    'placement',
    'capabilities/firewall',
    'capabilities/high-availability',
    'addons',
    'proxmox/model',
    'ownership',
    'talos/config',
    'talos/image',
    'secrets (T)',
    'observe (T)',
  ],
  lock: ['findings/refusals', 'findings/notes', 'cluster', 'addons', 'desired', 'secrets', 'reach', 'plan (T)'],
  work: ['cluster', 'proxmox/client (T)', 'desired (T)', 'observe (T)'],
  vm: ['findings/refusals', 'cluster', 'work', 'ownership', 'proxmox/model', 'desired (T)', 'observe (T)'],
  trial: ['cluster', 'work', 'vm', 'proxmox/model', 'ownership (T)'],
  node: [
    'findings/refusals',
    'cluster',
    'work',
    'vm',
    'health',
    'ownership',
    'addons',
    'kubernetes',
    'reach',
    'talos/clientconfig',
    'desired (T)',
    'proxmox/model',
    'observe (T)',
  ],
  etcd: [
    'findings/refusals',
    'findings/notes',
    'cluster',
    'work',
    'vm',
    'node',
    'desired (T)',
    'observe (T)',
    'health',
    'ownership (T)',
  ],
  'capabilities/firewall': [
    'findings/notes',
    'cluster',
    'work',
    'vm',
    'node',
    'etcd',
    'trial',
    'ownership',
    'plan',
    'steps',
    'inventory (T)',
    'desired (T)',
    'observe (T)',
    'proxmox/model',
    'talos/clientconfig',
  ],
  'capabilities/high-availability': [
    'findings/refusals',
    'cluster',
    'work',
    'vm',
    'steps',
    'plan (T)',
    'inventory (T)',
    'desired (T)',
    'observe (T)',
  ],
  'capabilities/evacuation': ['findings/refusals', 'cluster', 'work', 'vm', 'node', 'etcd', 'proxmox/model'],
  'capabilities/backup-job': ['cluster', 'desired (T)', 'observe (T)'],
  'capabilities/steps': ['steps', 'capabilities/firewall', 'capabilities/high-availability'],
  steps: [
    'findings/refusals',
    'cluster',
    'work',
    'vm',
    'node',
    'etcd',
    'trial',
    'capabilities/evacuation',
    'capabilities/backup-job',
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
  plan: [
    'findings/refusals',
    'findings/notes',
    'cluster',
    'work',
    'vm',
    'node',
    'etcd',
    'trial',
    'capabilities/high-availability',
    'capabilities/backup-job',
    'placement',
    'steps',
    'proxmox/model',
    'desired (T)',
    'observe (T)',
    'addons',
  ],
  rounds: [
    'findings/refusals',
    'findings/notes',
    'cluster',
    'work',
    'etcd',
    'steps',
    'plan',
    'capabilities/firewall',
    'capabilities/high-availability',
    'capabilities/steps',
    'desired (T)',
    'observe (T)',
  ],
  advisories: ['cluster', 'inventory', 'observe (T)'],
  examine: ['cluster', 'kubernetes', 'ownership', 'inventory (T)', 'observe (T)'],
  findings: [
    'cluster',
    'findings/refusals',
    'advisories',
    'desired',
    'placement',
    'vm',
    'etcd',
    'proxmox/model',
    'inventory (T)',
    'observe (T)',
    'examine (T)',
  ],
  'findings/refusals': ['cluster'],
  'findings/notes': ['cluster'],
  watch: ['cluster', 'findings (T)', 'backup'],
  metrics: ['cluster', 'desired', 'placement', 'findings (T)', 'observe (T)', 'plan (T)', 'proxmox/client (T)'],
  adopt: ['cluster', 'secrets', 'proxmox/model', 'talos/config'],
  events: ['cluster'],
  execute: ['cluster', 'ownership', 'steps', 'capabilities/steps (T)', 'plan (T)', 'desired (T)', 'observe (T)'],
  backup: ['cluster', 'secrets', 'reach'],
  access: ['findings/refusals', 'cluster', 'proxmox/model', 'proxmox/client', 'steps', 'inventory (T)', 'addons'],
  render: ['cluster', 'desired', 'proxmox/model', 'talos/config'],
  lab: ['cluster', 'simulator', 'inventory (T)'],
  report: ['cluster', 'findings', 'findings/notes', '* (T)'],
  page: ['events (T)', 'findings (T)'],
  ui: ['cluster', 'report', 'page (T)', 'events (T)', 'findings (T)', 'findings/notes'],
  operations: ['*'],
  commands: ['*'],
  simulator: ['wire'],
}

/** The same inside the simulator; its root puts the parts together. `talos` runs Kubernetes, `proxmox` knows of neither. */
const insideSimulator: Readonly<Record<string, readonly string[]>> = {
  core: [],
  entrances: ['core'],
  factory: ['core'],
  kubernetes: ['core'],
  talos: ['core', 'kubernetes', 'wire'],
  proxmox: ['core'],
}

/** Files at the root of `src` that any module may import. */
const anyModuleMayImport = [
  'call-effects.ts',
  'durable-file.ts',
  'errors.ts',
  'events/event.ts',
  'make-folder.ts',
  'nearest.ts',
  'temporary-folder.ts',
]
/** Types of values that are handed on: the plan as data, the world and its ports. */
const anyModuleMayImportTypesOf = [
  'events/plan-view.ts',
  'events/step-limit.ts',
  'findings/finding.ts',
  'findings/phase.ts',
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
  const isSplit =
    first === 'talos' ||
    first === 'proxmox' ||
    first === 'capabilities' ||
    (first === 'findings' && (second === 'refusals' || second === 'notes'))
  return isSplit ? `${first}/${second.replace(/\.ts$/, '')}` : first
}

function importsOf(root: string): Import[] {
  return sourcesIn(root).flatMap((file) => {
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

function sourcesIn(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
}

function allowed({ module, target, targetFile, typeOnly }: Import): boolean {
  if (module === target || module === '' || anyModuleMayImport.includes(targetFile)) return true
  if (anyModuleMayImportTypesOf.includes(targetFile))
    return typeOnly || module === 'commands' || module === 'operations'
  if (module === 'operations') return !['commands', 'simulator', 'lab', 'report'].includes(target) || typeOnly
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

test('every import inside the simulator is allowed by its table', () => {
  const partOf = (file: string) => /^simulator\/([^/]+)\//.exec(file)?.[1] ?? moduleOf(file)
  const forbidden = imports
    .map(({ file, targetFile }) => ({ file, targetFile, part: partOf(file), target: partOf(targetFile) }))
    .filter(({ file, part }) => file.startsWith('simulator/') && part !== 'simulator')
    .filter(({ part, target }) => part !== target && insideSimulator[part]?.includes(target) !== true)
  expect(forbidden.map(({ file, targetFile }) => `${file} -> ${targetFile}`)).toEqual([])
})

/** Of one kind each, looked up by name: a command per file, a step per file. */
const longFolders = ['commands', 'steps']

test('no other folder has more than forty files at one level', () => {
  const counts = new Map<string, number>()
  for (const file of sourcesIn('src')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts].filter(([folder, count]) => count > 40 && !longFolders.includes(folder))
  expect(crowded).toEqual([])
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

test('no command carries out a run itself', () => {
  const runsThings = [
    'operations/reconcile.ts',
    'operations/spec/load-spec.ts',
    'operations/run-log.ts',
    'events/journal.ts',
  ]
  const found = imports
    .filter(({ module, targetFile }) => module === 'commands' && runsThings.includes(targetFile))
    // What a run reports to is a type of its log.
    .filter(({ targetFile, typeOnly }) => !(typeOnly && targetFile === 'operations/run-log.ts'))
  expect(found.map(({ file, targetFile }) => `${file} -> ${targetFile}`)).toEqual([])
  // Also where another file exports it.
  const taking = /\b(reconcile|loadSpec|takeLease|openRunLog)\b/
  const commands = sourcesIn('src').filter((file) => file.startsWith('commands/'))
  expect(commands.filter((file) => taking.test(readFileSync(join('src', file), 'utf8')))).toEqual([])
})

/**
 * Files that know each other's types: a value and its parts, in one folder or beside it. Such an import is gone once
 * compiled, and the order of loading does not depend on it. No ring is added here: a type that two files share gets a
 * file of its own.
 */
const typeRings = [
  ['addons/installed-addons.ts', 'addons/trusted-record.ts'],
  ['adopt/network-settings.ts', 'adopt/settings.ts'],
  ['connect.ts', 'open-proxmox.ts'],
  ['execute/attempt.ts', 'execute/execute.ts'],
  ['execute/schedule.ts', 'execute/turns.ts'],
  ['inventory/schema.ts', 'inventory/settle.ts'],
  ['operations/drill/left-drill.ts', 'operations/run.ts'],
  ['operations/status/host-load.ts', 'operations/status/roll.ts', 'operations/status/status.ts'],
  ['plan/view/machine-rows.ts', 'plan/view/row-reasons.ts'],
  ['proxmox/client/firewall-port.ts', 'proxmox/client/port.ts'],
  ['secrets/file-store.ts', 'secrets/store.ts', 'secrets/vault/vault-store.ts'],
  [
    'simulator/kubernetes/api/authenticate.ts',
    'simulator/kubernetes/api/tokens.ts',
    'simulator/kubernetes/cluster-state.ts',
  ],
  ['simulator/kubernetes/helm/release.ts', 'simulator/kubernetes/helm/run-container.ts'],
  [
    'simulator/proxmox/datacenter.ts',
    'simulator/proxmox/quorum.ts',
    'simulator/proxmox/storage/storages.ts',
    'simulator/proxmox/trouble.ts',
    'simulator/proxmox/vm/config.ts',
    'simulator/proxmox/vm/hardware.ts',
    'simulator/proxmox/vm/machines.ts',
  ],
  [
    'simulator/talos/cluster/kubernetes-apis.ts',
    'simulator/talos/cluster/vip-leases.ts',
    'simulator/talos/fleet.ts',
    'simulator/talos/machine/boot.ts',
    'simulator/talos/machine/machine.ts',
  ],
  ['simulator/talos/disks/partitions.ts', 'simulator/talos/disks/system-disk.ts'],
]

test('no other files import each other in a cycle, types included', () => {
  const edges = new Map<string, string[]>()
  for (const { file, targetFile, isLazy } of imports)
    if (!isLazy) edges.set(file, [...(edges.get(file) ?? []), targetFile])
  const reached = (from: string) => {
    const seen = new Set<string>()
    const open = [...(edges.get(from) ?? [])]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      open.push(...(edges.get(file) ?? []))
    }
    return seen
  }
  const all = new Map([...edges.keys()].map((file) => [file, reached(file)]))
  const inRings = [...all].filter(([file, others]) => others.has(file)).map(([file]) => file)
  expect(inRings.sort()).toEqual(typeRings.flat().sort())
})

test('a README of a folder has at most fifteen lines', () => {
  const readmes = ['src', 'tests'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|\/)README\.md$/.test(file) && !/testdata|node_modules/.test(file))
      .map((file) => join(root, file)),
  )
  const long = readmes.filter((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > 15)
  expect(long).toEqual([])
  const documented = ['operations', 'capabilities', 'findings', 'simulator'].map((folder) => `src/${folder}/README.md`)
  expect(readmes).toEqual(expect.arrayContaining([...documented, 'tests/README.md', 'tests/support/README.md']))
})

/** Where a file is written by other means, and why neither a link nor a kill does harm. */
const writesItself: Readonly<Record<string, string>> = {
  'durable-file.ts': 'for all others',
  'addons/local-helm.ts': 'in a private temporary folder',
  'reach/open-ssh.ts': 'in a private temporary folder',
  'talos/image/fetch-image.ts': 'in a private temporary folder',
  'talos/api/support/tar.ts': 'as a stream, into the temporary file of durable-file',
  'commands/demo.ts': 'in a private temporary folder',
  'commands/use-lab.ts': 'in the folder of the lab',
  'backup/spool.ts': 'under a random name, and never over a file',
  'events/journal.ts': 'under a random name, in a folder that is no link',
  'render/write-rendered.ts': 'renamed, like those of durable-file',
}

test('a file that a link could stand in for is written by durable-file', () => {
  const writes = /\b(writeFile|appendFile|createWriteStream|writeFileSync|appendFileSync|copyFile|openSync)\(/
  const writing = sourcesIn('src').filter((file) => writes.test(readFileSync(join('src', file), 'utf8')))
  expect(writing.filter((file) => !/^(simulator|lab)\/|\/testing\b|testing\.ts$/.test(file)).sort()).toEqual(
    Object.keys(writesItself).sort(),
  )
})

test('every refusal is defined with a code, and none is made where it is thrown', () => {
  const makers = sourcesIn('src').filter((file) => readFileSync(join('src', file), 'utf8').includes('new PlanRefused('))
  expect(makers.sort()).toEqual(['findings/refusals/collect-refusals.ts', 'findings/refusals/define-refusal.ts'])
})
