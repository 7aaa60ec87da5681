import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeDurably } from '../../durable-file.js'
import { makeFolder } from '../../make-folder.js'
import { SecretsError } from '../secrets-error.js'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The age keys that `sops` itself would try: from the environment, from the file it names, and from the default
 * location.
 */
export async function findAgeKeys(env: Environment): Promise<string[]> {
  const texts = [env.SOPS_AGE_KEY ?? '', await readNamedFile(env.SOPS_AGE_KEY_FILE), await readUsualPlace(env)]
  return [...new Set(texts.flatMap(keysIn))]
}

/** Creates an age key at the default location, readable only by the user, and reports its path. */
export async function makeAgeKey(env: Environment, notify: (text: string) => void): Promise<string> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const key = await generateX25519Identity()
  const recipient = await identityToRecipient(key)
  const path = usualPlace(env)
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${key}\n`
  try {
    await makeFolder(dirname(path), 0o700)
    await writeDurably(path, text, { mustBeNew: true })
  } catch (cause) {
    return keyOfAnotherRun(path, cause)
  }
  notify(createdKeyNotice(path))
  return key
}

function createdKeyNotice(path: string): string {
  return `Created an age key at ${path}. Keep a copy in a safe place: without it the secrets cannot be decrypted.`
}

/** The path of a new key, from the notice about it. */
export function newAgeKey(notice: string): string | undefined {
  return /^Created an age key at (.+?)\. Keep /.exec(notice)?.[1]
}

/** The public half of an age key. */
export async function recipientOf(key: string): Promise<string> {
  const { identityToRecipient } = await import('age-encryption')
  try {
    return await identityToRecipient(key)
  } catch {
    throw new SecretsError('One of the age keys that were found is damaged.', {
      where: 'SOPS_AGE_KEY, SOPS_AGE_KEY_FILE and the usual place',
      fix: 'Check them with `age-keygen -y`.',
    })
  }
}

/** The default location of `sops`. @internal */
export function usualPlace(env: Environment, platform: NodeJS.Platform = process.platform): string {
  return join(configFolder(env, platform), 'sops', 'age', 'keys.txt')
}

function configFolder(env: Environment, platform: NodeJS.Platform): string {
  const home = env.HOME || homedir()
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  if (env.XDG_CONFIG_HOME) return env.XDG_CONFIG_HOME
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.config')
}

/** Another run created the file at the same time: its key is used. */
async function keyOfAnotherRun(path: string, cause: unknown): Promise<string> {
  const [key] = keysIn(await readFile(path, 'utf8').catch(() => ''))
  if (key !== undefined) return key
  throw new SecretsError('No age key was found, and none could be created.', {
    where: path,
    fix: 'Create one with `age-keygen`, and set SOPS_AGE_KEY_FILE to its path.',
    cause,
  })
}

async function readNamedFile(path: string | undefined): Promise<string> {
  if (!path) return ''
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new SecretsError('The file that SOPS_AGE_KEY_FILE names cannot be read.', {
      where: path,
      fix: 'Correct SOPS_AGE_KEY_FILE, or unset it to use the usual place.',
      cause,
    })
  }
}

function readUsualPlace(env: Environment): Promise<string> {
  return readFile(usualPlace(env), 'utf8').catch(() => '')
}

function keysIn(text: string): string[] {
  return text.match(/\bAGE-SECRET-KEY-[A-Z0-9-]+\b/g) ?? []
}
