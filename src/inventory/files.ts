import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Problem } from './problem.js'

/** The files of one environment. */
export interface InventoryFiles {
  readonly folder: string
  readonly cluster: TextFile
  readonly nodes?: TextFile
}

export interface TextFile {
  /** As the user would name it from the current folder. */
  readonly file: string
  readonly text: string
}

/** A file or folder that cannot be used at all. */
export class UnusableFile extends Error {
  readonly problem: Problem
  constructor(file: string, message: string, fix: string) {
    super(message)
    this.problem = { severity: 'error', file, line: 0, column: 0, path: '', message, fix, excerpt: '' }
  }
}

const clusterFiles = ['cluster.yaml', 'cluster.yml']
const nodesFiles = ['nodes.yaml', 'nodes.yml']
const maxFileBytes = 64 * 1024 * 1024

/** The environments at a path: a cluster.yaml, its folder, or a folder of such folders. */
export async function findEnvironments(path: string): Promise<string[]> {
  const found = await readable(path, () => stat(path))
  if (!found.isDirectory()) return [path]
  const here = await findFile(path, clusterFiles)
  if (here !== undefined) return [here]
  const entries = await readable(path, () => readdir(path))
  const below = await Promise.all(entries.sort().map((entry) => findFile(join(path, entry), clusterFiles)))
  const environments = below.filter((file) => file !== undefined)
  if (environments.length > 0) return environments
  throw new UnusableFile(
    shown(path),
    `The folder ${shown(path)} holds no inventory.`,
    'Name a folder with a cluster.yaml in it with -i, or run ichor init there to write one.',
  )
}

/** Reads the cluster.yaml at a path and the nodes.yaml next to it, if any. */
export async function readEnvironment(clusterFile: string): Promise<InventoryFiles> {
  const folder = dirname(resolve(clusterFile))
  const nodesFile = await findFile(dirname(clusterFile), nodesFiles)
  const cluster = await readText(clusterFile)
  if (nodesFile === undefined) return { folder, cluster }
  return { folder, cluster, nodes: await readText(nodesFile) }
}

/** The text of a required file, in UTF-8. */
async function readText(path: string): Promise<TextFile> {
  const { size } = await readable(path, () => stat(path))
  if (size > maxFileBytes) {
    throw new UnusableFile(
      shown(path),
      `${shown(path)} is larger than 64 MiB.`,
      'Split the inventory into several environments.',
    )
  }
  const bytes = await readable(path, () => readFile(path))
  return { file: shown(path), text: decode(shown(path), bytes) }
}

async function findFile(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const path = join(folder, name)
    const isThere = await stat(path).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
    )
    if (isThere) return path
  }
  return undefined
}

async function readable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw explained(path, error as NodeJS.ErrnoException)
  }
}

function explained(path: string, { code }: NodeJS.ErrnoException): UnusableFile {
  const file = shown(path)
  if (code === 'ENOENT') {
    return new UnusableFile(file, `There is no ${file}.`, 'Name the inventory with -i, or run ichor init to write one.')
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new UnusableFile(file, `${file} may not be read by this user.`, `Give yourself the right: chmod u+r ${file}`)
  }
  if (code === 'ELOOP') {
    return new UnusableFile(file, `${file} is a circular symbolic link.`, 'Let the link point to a file.')
  }
  if (code === 'EISDIR') {
    return new UnusableFile(file, `${file} is a folder, not a file.`, `Move ${basename(file)} away.`)
  }
  return new UnusableFile(
    file,
    `${file} could not be read (${code ?? 'unknown reason'}).`,
    'Check the disk and the path.',
  )
}

function decode(file: string, bytes: Uint8Array): string {
  const text = tryUtf8(bytes)
  if (text !== undefined && !text.includes('\0')) return text
  throw new UnusableFile(
    file,
    `${file} is not written in UTF-8${guessOf(bytes)}.`,
    `Save ${file} as UTF-8 in your editor.`,
  )
}

function tryUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function guessOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return ', but in UTF-16'
  return ''
}

function shown(path: string): string {
  const short = relative(process.cwd(), resolve(path))
  return short === '' ? '.' : short.startsWith('..') ? resolve(path) : short
}
