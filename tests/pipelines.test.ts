import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { CommandEntry } from '../src/commands/frame/define-command.js'
import { parseCommandLine } from '../src/commands/frame/parse.js'
import { commands } from '../src/commands/index.js'

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
  const lines = [...text.matchAll(/npx ichor ([^|\n]+)/g)].map(([, line = '']) => line.trim())
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    const [entry, words] = entryOf(line.split(/\s+/))
    const command = await entry.load?.()
    if (command === undefined) throw new Error(`ichor ${line}: not built yet`)
    expect(() => parseCommandLine(words, command, `ichor ${entry.name}`), line).not.toThrow()
  }
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
