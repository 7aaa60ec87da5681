import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { CommandEntry } from '../src/commands/frame/define-command.js'
import { parseCommandLine } from '../src/commands/frame/parse.js'
import { commands } from '../src/commands/index.js'
import { readGitlabPipeline, readWorkflow } from './support/workflows.js'

const read = (path: string) => readFileSync(path, 'utf8')
const pipelines = ['ci/github.yaml', 'ci/gitlab.yaml', 'ci/pre-commit-config.yaml', 'backup/pipeline.yaml']
const clusters = readdirSync('examples')
  .map((name) => `examples/${name}/cluster.yaml`)
  .filter((path) => existsSync(path))

/** The entry of a verb, and the words that are left for it. */
function entryOf(words: readonly string[], among: readonly CommandEntry[] = commands): [CommandEntry, string[]] {
  const [verb = '', ...rest] = words
  const entry = among.find(({ name }) => name === verb)
  if (entry === undefined) throw new Error(`there is no verb ${verb}`)
  const [next = ''] = rest
  const isNested = entry.subcommands?.some(({ name }) => name === next) ?? false
  return isNested ? entryOf(rest, entry.subcommands) : [entry, rest]
}

test.each(pipelines)('every ichor command of examples/%s is one that ichor takes', async (file) => {
  const text = read(`examples/${file}`)
  for (const document of parseAllDocuments(text)) expect('errors' in document ? document.errors : []).toEqual([])
  const lines = [...text.matchAll(/npx --no-install ichor ([^|\n]+)/g)].map(([, line = '']) => line.trim())
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    const [entry, words] = entryOf(line.split(/\s+/))
    const command = await entry.load?.()
    if (command === undefined) throw new Error(`ichor ${line}: a group of commands`)
    expect(() => parseCommandLine(words, command, `ichor ${entry.name}`), line).not.toThrow()
  }
})

const examples = [
  { file: 'examples/ci/github.yaml', read: readWorkflow },
  { file: 'examples/backup/pipeline.yaml', read: readWorkflow },
  { file: 'examples/ci/gitlab.yaml', read: readGitlabPipeline },
]
const own = readdirSync('.github/workflows').map((name) => ({ file: `.github/workflows/${name}`, read: readWorkflow }))
const holdsSecret = /secrets\.\w+/
const needsKeys = /secrets\.\w+|ichor (plan|up|health|backup|drill)\b/

describe.each([...examples, ...own])('$file', ({ file, read: readPipeline }) => {
  const { head, shell, jobs } = readPipeline(file)

  test('actions are pinned by the hash of a commit, with the version beside it', () => {
    const uses = jobs.flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []))
    const foreign = uses.filter((use) => !use.startsWith('./'))
    expect(foreign.filter((use) => !/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/.test(use))).toEqual([])
    const lines = read(file).match(/uses: [^.\s].*/g) ?? []
    expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  test('a script stops at its first failure, also within a pipe', () => {
    const isStrict = (script: string) => shell === 'bash -euo pipefail {0}' || script.startsWith('set -euo pipefail\n')
    const scripts = jobs.flatMap(({ steps }) => steps.flatMap(({ script }) => script ?? []))
    expect(scripts.filter((script) => !isStrict(script))).toEqual([])
  })

  test('secrets are handed to single steps, of jobs behind an environment, for commits of the main branch', () => {
    expect(head).not.toMatch(holdsSecret)
    for (const { name, environment, isTrusted, steps, text } of jobs) {
      expect(text, name).not.toMatch(holdsSecret)
      if (steps.some((step) => needsKeys.test(step.text)))
        expect({ name, isTrusted, isProtected: environment !== undefined }).toEqual({
          name,
          isTrusted: true,
          isProtected: true,
        })
    }
  })

  test('nothing is installed that no lock file names', () => {
    const text = read(file)
    const isInstalledFirst = head.includes('npm ci')
    const runs = text.match(/\bnpx (?!--no-install )\S+|\bnpm (?:i|install)\b.*/g) ?? []
    expect(runs).toEqual([])
    for (const { name, steps } of jobs) {
      const script = steps.map(({ script: one = '' }) => one).join('\n')
      if (script.includes('npx ')) expect(isInstalledFirst || script.indexOf('npm ci') >= 0, name).toBe(true)
    }
  })
})

test.each(examples)(
  '$file: what others propose runs on no runner of ours; whoever has keys names its Proxmox',
  (one) => {
    for (const { name, isTrusted, environment, runners, steps } of one.read(one.file).jobs) {
      if (!isTrusted)
        expect({ name, environment, runners: runners.filter((runner) => /hosted|infra/.test(runner)) }).toEqual({
          name,
          environment: undefined,
          runners: [],
        })
      for (const { text } of steps) if (holdsSecret.test(text)) expect(text, name).toContain('PROXMOX_VE_ENDPOINT')
    }
  },
)

test.each(['github.yaml', 'gitlab.yaml'])(
  'examples/ci/%s applies only behind production, and only the plan that was made before',
  (file) => {
    const { jobs } = (file === 'gitlab.yaml' ? readGitlabPipeline : readWorkflow)(`examples/ci/${file}`)
    const applying = jobs.filter(({ steps }) => steps.some(({ script = '' }) => script.includes('ichor up')))
    expect(applying.map(({ environment }) => environment)).toEqual(['production'])
    for (const { steps } of applying)
      expect(steps.map(({ script }) => script).join()).toMatch(/ichor up .*--plan plan\.json/)
  },
)

test('the examples pin this version of ichor and an exact version of everything else', () => {
  const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string }
  const { dependencies } = JSON.parse(read('examples/ci/package.json')) as { dependencies: Record<string, string> }
  expect(dependencies[name]).toBe(version)
  for (const exact of Object.values(dependencies)) expect(exact).toMatch(/^\d+\.\d+\.\d+$/)
})

test('a release is built without the right to publish it, published without running it, and gated on everything', () => {
  const { jobs } = readWorkflow('.github/workflows/release.yaml')
  const job = (name: string) => jobs.find((one) => one.name === name) ?? expect.fail(`there is no job ${name}`)
  const [gate, build, publish] = ['gate', 'build', 'publish'].map(job)
  expect(gate?.steps.map(({ uses }) => uses)).toEqual(['./.github/workflows/ci.yaml'])
  expect(
    readWorkflow('.github/workflows/ci.yaml').jobs.flatMap(({ steps }) => steps.map(({ script }) => script)),
  ).toContain('.ci/run')
  expect(job('browser').steps.map(({ script }) => script)).toContain('npm run browser')
  expect(build?.text).not.toMatch(/write/)
  expect(job('executable').text).not.toMatch(/write/)
  expect(publish?.environment).toBe('npm')
  expect(JSON.parse(publish?.text ?? '')).toMatchObject({
    needs: ['gate', 'browser', 'build', 'executable'],
    permissions: { 'id-token': 'write' },
  })
  const steps = publish?.steps ?? []
  expect(steps.map(({ uses = '' }) => uses.split('@')[0]).filter((use) => use !== '')).toEqual([
    'actions/setup-node',
    'actions/download-artifact',
  ])
  expect(steps.map(({ script = '' }) => script).join('\n')).not.toMatch(/npm (ci|run|test)|node /)
})

interface RenovateManager {
  readonly managerFilePatterns: readonly string[]
  readonly matchStrings: readonly string[]
  readonly depNameTemplate?: string
}

test('Renovate finds the versions of every example inventory, and annotated charts', () => {
  const { customManagers } = JSON.parse(read('examples/ci/renovate.json')) as { customManagers: RenovateManager[] }
  const found = (text: string, path: string) =>
    customManagers
      .filter(({ managerFilePatterns }) =>
        managerFilePatterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(path)),
      )
      .flatMap(({ matchStrings, depNameTemplate }) =>
        matchStrings.flatMap((pattern) =>
          [...text.matchAll(new RegExp(pattern, 'g'))].map(({ groups }) => ({
            name: groups?.depName ?? depNameTemplate,
            value: groups?.currentValue,
          })),
        ),
      )
  expect(clusters.length).toBeGreaterThanOrEqual(5)
  for (const path of clusters) {
    const { talos_version, kubernetes_version } = parse(read(path))
    const versions = [
      { name: 'siderolabs/talos', value: talos_version },
      { name: 'kubernetes/kubernetes', value: kubernetes_version },
    ].filter(({ value }) => value !== undefined)
    expect(found(read(path), path), path).toEqual(versions)
  }
  const annotated = /```yaml\n([\s\S]*?)```/.exec(read('examples/ci/README.md'))?.[1] ?? ''
  expect(found(annotated, 'cluster.yaml')).toEqual([{ name: 'metrics-server', value: '3.13.0' }])
})

test('a release has an executable for each system, with its bill of materials, and a checksum of every file', () => {
  const { jobs } = readWorkflow('.github/workflows/release.yaml')
  const job = (name: string) => jobs.find((one) => one.name === name) ?? expect.fail(`there is no job ${name}`)
  const scripts = (name: string) => job(name).steps.map(({ script = '' }) => script)
  for (const system of ['ichor-linux-x64', 'ichor-linux-arm64', 'ichor-macos-arm64'])
    expect(job('executable').text).toContain(system)
  expect(scripts('executable')).toContain('node scripts/sbom.mjs --executable > "$NAME.sbom.json"')
  expect(scripts('publish')).toContain('sha256sum ichor-* docs.tar.gz sbom.json ichor.rb > SHA256SUMS')
})
