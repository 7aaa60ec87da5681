import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { chooseLab } from '../src/commands/frame/choose-lab.js'
import type { CommandEntry } from '../src/commands/frame/define-command.js'
import { main } from '../src/commands/frame/main.js'
import { parseCommandLine } from '../src/commands/frame/parse.js'
import { namesSubcommand } from '../src/commands/frame/subcommand.js'
import { takeGlobals } from '../src/commands/frame/take-globals.js'
import { commands } from '../src/commands/index.js'
import { examine } from '../src/inventory/examine.js'
import { type Block, blocksOf, pages, proseOf } from './support/markdown-blocks.js'

const blocks = pages.flatMap(blocksOf)
const at = ({ file, line }: Block) => `${file}:${line}`

/** What stands around a part of an inventory, so that the part can be checked alone. */
const base = {
  cluster_name: 'dev',
  control_plane_count: 3,
  worker_count: 2,
  network: { cidr: '10.0.10.0/24', gateway: '10.0.10.1', vip: '10.0.10.5' },
  sizing: { worker: { disks: [{ size: '100G', volume: 'longhorn' }] } },
  proxmox: { endpoint: 'https://10.0.10.2:8006', target_nodes: ['pve1', 'pve2', 'pve3'], datastore: 'local-lvm' },
}

const inventories = blocks.filter(({ language, about }) => language === 'yaml' && about === '')

test.each(inventories.map((block) => [at(block), block] as const))(
  '%s is an inventory, or a part of one',
  async (_, block) => {
    const document = parse(block.text)
    // A pool beside other workers would need an offset.
    const around = document.worker_pools === undefined ? base : { ...base, worker_count: 0 }
    const whole = document.cluster_name === undefined ? stringify(merged(around, document)) : block.text
    const { problems } = await examine({ folder: '/inventory', cluster: { file: 'cluster.yaml', text: whole } })
    expect(problems.map(({ message }) => message).filter((message) => !/which does not exist/.test(message))).toEqual(
      [],
    )
  },
)

function merged(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const isMap = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => {
      const [left, right] = [one[key], other[key]]
      return [key, isMap(left) && isMap(right) ? merged(left, right) : (right ?? left)]
    }),
  )
}

const otherYaml = blocks.filter(({ language, about }) => language === 'yaml' && about !== '')

test.each(otherYaml.map((block) => [at(block), block] as const))('%s is YAML', (_, { text }) => {
  expect(parseAllDocuments(text).flatMap((document) => document.errors)).toEqual([])
})

/** Command lines in blocks, and those that a sentence names. */
const lines = [
  ...blocks
    .filter(({ language }) => ['', 'sh', 'console'].includes(language))
    .flatMap((block) =>
      block.text
        .split('\n')
        .filter((line) => /^(\$ )?(npx )?ichor /.test(line))
        .map((line) => [at(block), line.replace(/^(\$ )?(npx )?ichor /, '')] as const),
    ),
  ...pages.flatMap((file) =>
    [...proseOf(file).matchAll(/`(?:npx )?ichor ([a-z-][^`]*)`/g)].map(([, line = '']) => [file, line] as const),
  ),
].filter(([, line]) => !/[<…]/.test(line))

test.each(lines)('%s: ichor %s is a command line that ichor understands', async (_, line) => {
  await expect(understood(wordsOf(line))).resolves.toBeUndefined()
})

/** Up to a comment, an explanation behind two spaces, or what the shell does with the result. */
function wordsOf(line: string): string[] {
  const [own = ''] = line.replace(/ \[[^\]]+\]/g, '').split(/\s{2,}|\s#|\s[|>]|\s&&|\s2>|;/)
  return [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )
}

async function understood(typed: readonly string[]): Promise<undefined> {
  const { words } = takeGlobals(typed)
  if (['help', 'version', '--help', '--version'].includes(words[0] ?? '')) return
  let [name = '', ...rest] = words
  let entry = findEntry(commands, name)
  while (await namesSubcommand(entry, rest[0])) {
    ;[name = '', ...rest] = rest
    entry = findEntry(entry.subcommands ?? [], name)
  }
  const command = await entry.load?.()
  if (command === undefined) return
  // A sentence may name a command without its arguments.
  const positionals = rest.length === 0 ? [] : command.positionals
  parseCommandLine(chooseLab(rest, command, {}).words, { ...command, positionals }, name)
}

function findEntry(entries: readonly CommandEntry[], name: string): CommandEntry {
  const entry = entries.find((one) => one.name === name)
  if (entry === undefined) throw new Error(`there is no command ${name}`)
  return entry
}

const screens = blocks.filter(({ language, about }) => language === 'console' && about === '')

test.each(screens.map((block) => [at(block), block] as const))('%s is what ichor prints', async (_, { text }) => {
  let printed = ''
  for (const [, line = ''] of text.matchAll(/^\$ ichor (.+)$/gm)) {
    printed += `$ ichor ${line}\n${await output(wordsOf(line))}`
  }
  expect(printed.trimEnd()).toBe(text.trimEnd())
})

async function output(words: readonly string[]): Promise<string> {
  const written: string[] = []
  const stream = { write: (part: string) => written.push(part) }
  const stdin = Object.assign(process.stdin, { isTTY: false })
  const signal = new AbortController().signal
  const context = { stdout: stream, stderr: stream, stdin, env: {}, cwd: process.cwd(), signal, program: 'ichor' }
  await main(words, commands, context)
  return written.join('')
}

test.each(['em-infra', 'enterprise', 'fluodata', 'hyperconverged', 'production'])(
  'the diagram on the page of %s is drawn from it (vitest -u draws it again)',
  async (name) => {
    const drawn = await output(['render', '--diagram', 'svg', '-i', `examples/${name}`])
    await expect(drawn).toMatchFileSnapshot(`../docs/examples/${name}.svg`)
  },
)

const pictures = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svg'))

test.each(pictures)(
  'docs/%s is drawn for light and dark pages, and stands still for readers who prefer that',
  (file) => {
    const picture = readFileSync(join('docs', file), 'utf8')
    expect(picture).toContain('prefers-color-scheme')
    if (picture.includes('@keyframes')) expect(picture).toContain('prefers-reduced-motion:reduce){.m{animation:none}')
  },
)

test('the moving picture of the README is of a cluster that becomes healthy (node scripts/record-up.mjs draws it again)', () => {
  const picture = readFileSync('docs/up.svg', 'utf8')
  const shown = [...picture.matchAll(/<text [^>]*>([^<]*)/g)].map(([, text]) => text)
  for (const wanted of ['$ ichor up --lab --yes', '5 machines to create.', 'HEALTHY', '5 of 5 machines ready'])
    expect(shown).toContain(wanted)
  expect(picture).not.toMatch(/\/tmp\/|\/root|\/home/)
})

const linking = [...pages, 'CONTRIBUTING.md', 'CHANGELOG.md']
const links = linking.flatMap((file) =>
  [...proseOf(file).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => ({ file, link })),
)

test.each(links)('$file links to $link, which is there', ({ file, link }) => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : normalize(join(dirname(file), path))
  expect(existsSync(target), target).toBe(true)
  if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor)
})

function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
