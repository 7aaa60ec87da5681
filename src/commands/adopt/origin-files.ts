import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Environment, readEnvironment, substituted } from '../../adopt/origins/environment.js'
import { namedFiles, readTalconfig } from '../../adopt/origins/talconfig.js'
import { FileError, reasonOf, UsageError } from '../../errors.js'
import type { Origin } from '../../operations/adopt/origin.js'
import { clearTextOf } from '../../secrets/file-store.js'
import type { Context } from '../frame/context.js'

const kinds = { talosconfig: 'talosconfig', secrets: 'secrets', machineConfig: 'machine-config' } as const
type Named = keyof typeof kinds | 'context' | 'tfstate' | 'cluster' | 'talconfig'
export type OriginFlags = Readonly<Record<Named, string | undefined>>

/** Larger files are none of these. */
const largestFile = 16 * 1024 * 1024

/** The files that the flags name. They are read here and never fetched: an address is no file. */
export async function originsOf(flags: OriginFlags, context: Context): Promise<Origin[]> {
  const { context: contextName, tfstate, cluster, talconfig } = flags
  const origins: Origin[] = []
  for (const key of ['talosconfig', 'secrets', 'machineConfig'] as const) {
    const file = flags[key]
    if (file === undefined) continue
    const where = resolve(context.cwd, file)
    const text = await clearFile(where, context)
    origins.push({ kind: kinds[key], where, text, ...(contextName === undefined ? {} : { context: contextName }) })
  }
  if (tfstate !== undefined) {
    refuseAddress(tfstate, '--tfstate')
    const where = resolve(context.cwd, tfstate)
    const text = await textOf(where)
    origins.push({ kind: 'tfstate', where, text, ...(cluster === undefined ? {} : { cluster }) })
  }
  if (talconfig !== undefined) origins.push(await talhelperFolder(resolve(context.cwd, talconfig), context))
  if (origins.length > 0) return origins
  throw new UsageError('A way into the cluster is needed.', {
    where: 'ichor adopt',
    fix: 'Give --talosconfig, --secrets, --machine-config, --tfstate or --talconfig.',
  })
}

/** A state in a bucket or behind an address is pulled by the tool that has its credentials. */
function refuseAddress(file: string, where: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(file)) return
  throw new UsageError('This is an address, and a file is needed.', {
    where,
    fix: 'Run `tofu state pull > state.json` where the state is configured, and give that file.',
  })
}

/** As talhelper looks for them; of several, talhelper takes the last. */
const environmentFiles = ['talenv.yaml', 'talenv.sops.yaml', 'talenv.yml', 'talenv.sops.yml']
const secretFiles = ['talsecret.yaml', 'talsecret.sops.yaml', 'talsecret.yml', 'talsecret.sops.yml']
const configFiles = ['talconfig.yaml', 'talconfig.yml']

async function talhelperFolder(folder: string, context: Context): Promise<Origin> {
  const name = (await existing(folder, configFiles))[0]
  if (name === undefined) {
    throw new FileError('There is no talconfig.yaml.', {
      where: folder,
      fix: 'Give the folder in which `talhelper genconfig` works.',
    })
  }
  const where = join(folder, name)
  let variables: Environment = context.env
  for (const file of await existing(folder, environmentFiles))
    variables = { ...variables, ...readEnvironment(await clearFile(join(folder, file), context)) }
  const talconfig = substituted(await textOf(where), variables, where)
  const secretFile = (await existing(folder, secretFiles)).at(-1)
  const secretPath = secretFile === undefined ? undefined : join(folder, secretFile)
  const secrets =
    secretPath === undefined ? {} : { secrets: { text: await clearFile(secretPath, context), where: secretPath } }
  const named = await namedTexts(folder, namedFiles(readTalconfig({ talconfig, where })), variables, context)
  return { kind: 'talconfig', where, talconfig, named, generated: await generatedConfigs(folder), ...secrets }
}

async function existing(folder: string, names: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return names.filter((_, index) => there[index])
}

/** A file that cannot be read is a difference that is listed, and no reason to stop. */
async function namedTexts(
  folder: string,
  names: readonly string[],
  variables: Environment,
  context: Context,
): Promise<Record<string, string>> {
  const texts = await Promise.all(
    names.map(async (name): Promise<[string, string][]> => {
      const where = resolve(folder, name)
      const text = await clearFile(where, context).catch(() => undefined)
      return text === undefined ? [] : [[name, substituted(text, variables, where)]]
    }),
  )
  return Object.fromEntries(texts.flat())
}

async function generatedConfigs(folder: string): Promise<Record<string, string>> {
  const place = join(folder, 'clusterconfig')
  const names = (await readdir(place).catch(() => [])).filter((name) => name.endsWith('.yaml'))
  const texts = await Promise.all(names.map(async (name) => [name, await textOf(join(place, name))] as const))
  return Object.fromEntries(texts)
}

async function clearFile(path: string, { env }: Context): Promise<string> {
  return clearTextOf(await textOf(path), path, { env })
}

async function textOf(path: string): Promise<string> {
  try {
    const found = await stat(path)
    if (found.isDirectory() || found.isCharacterDevice()) throw new Error('it is no file')
    if (found.size > largestFile) throw new Error('it is larger than 16 MiB')
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new FileError(`The file cannot be read: ${reasonOf(cause)}.`, {
      where: path,
      fix: 'Check the path and its permissions.',
      cause,
    })
  }
}
