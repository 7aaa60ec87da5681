import { readFile } from 'node:fs/promises'
import { parseDocument } from 'yaml'
import { removeDurably, writeDurably } from '../durable-file.js'
import { reasonOf } from '../errors.js'
import type { SecretsChange, SecretsFile } from './bundle.js'
import { formatSecretsFile, parseSecretsFile, secretsIn, type Tree } from './bundle-file.js'
import { createTurns } from './in-turn.js'
import { applyChange, clearText, type KeyRing, openText, refuseClearSecrets, sealText } from './sealed-text.js'
import { SecretsError } from './secrets-error.js'
import { sealSops } from './sops/seal-sops.js'
import { readSelection } from './sops/selection.js'
import { isSopsText, recipientsIn, yamlForm } from './sops/sops-document.js'
import type { SecretsStore } from './store.js'
import { textsIn } from './yaml-value.js'

export interface FileHome extends KeyRing {
  readonly sealedPath: string
  readonly plainPath: string
  readonly plain: boolean
}

/** Secrets in a file next to the inventory, encrypted with SOPS unless the user wants plain text. */
export function createFileStore(home: FileHome): SecretsStore {
  const location = home.plain ? home.plainPath : home.sealedPath
  const inTurn = createTurns()
  // A run reads them a dozen times; the parsed content is cached while the file is unchanged.
  let last: { readonly text: string; readonly file: SecretsFile } | undefined
  return {
    location,
    find: async () => {
      const text = await findFile(location)
      if (text === undefined) return void (await refuseOtherForm(home))
      if (text === last?.text) return last.file
      if (!home.plain) refuseUnsealed(text, location)
      const file = await readSecrets(text, location, home)
      last = { text, file }
      return file
    },
    create: async (file) => {
      await refuseOtherForm(home)
      const clear = formatSecretsFile(file)
      const text = home.plain ? clear : await sealText(clear, location, home)
      await writeNew(location, text, file)
    },
    remember: (change) => inTurn(() => remember(location, change, home)),
    remove: () => removeDurably(location, { followsLink: true }),
  }
}

/** Without a detour by way of decrypted text, which takes twice as long. */
async function readSecrets(text: string, path: string, { env }: Pick<KeyRing, 'env'>): Promise<SecretsFile> {
  if (!isSealed(text)) return parseSecretsFile(text, path)
  const { document, metadata } = await openText(text, path, env)
  return { ...secretsIn(textsIn(document.contents) as Tree, path), recipients: recipientsIn(metadata) }
}

/** The decrypted text of a secrets file, encrypted or not. */
export async function clearTextOf(text: string, path: string, { env }: Pick<KeyRing, 'env'>): Promise<string> {
  return isSealed(text) ? clearText(await openText(text, path, env)) : text
}

/** A truncated encrypted file must not be treated as a plain one. */
function isSealed(text: string): boolean {
  return text.includes('ENC[AES256_GCM,') || isSopsText(text)
}

function refuseUnsealed(text: string, path: string): void {
  if (isSealed(text)) return
  throw new SecretsError('These secrets are not encrypted, although the file name ends in .sops.yaml.', {
    where: path,
    fix: 'Run `ichor secrets encrypt`; if they were ever pushed like this, create a new cluster.',
  })
}

/** The text of a file; `undefined` if there is none, an error if it cannot be read. */
export async function findFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SecretsError(`The secrets cannot be read: ${reasonOf(cause)}.`, {
      where: path,
      fix: 'Check the path and its permissions.',
      cause,
    })
  }
}

/** A concurrent write is not lost: the change is applied again on top of it. */
async function remember(path: string, change: SecretsChange, home: FileHome): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const before = await findFile(path)
    if (before === undefined) throw nothingThere(path)
    const after = await withChange(before, path, change, home)
    if ((await findFile(path)) === before) return writeDurably(path, after, { followsLink: true })
  }
  throw new SecretsError('The secrets file keeps being changed by another process.', {
    where: path,
    fix: 'Stop the other process, and run the command again.',
  })
}

const maxAttempts = 5

function nothingThere(path: string): SecretsError {
  return new SecretsError('The cluster has no secrets file yet.', {
    where: path,
    fix: 'Run `ichor secrets init`, or restore the file from version control.',
  })
}

async function withChange(text: string, path: string, change: SecretsChange, home: FileHome): Promise<string> {
  if (home.plain) {
    const document = parseDocument(text)
    applyChange(document, change)
    return document.toString(yamlForm)
  }
  const open = await openText(text, path, home.env)
  applyChange(open.document, change)
  if (change.rotation !== undefined) refuseClearSecrets(open.document, readSelection(open.metadata, path), path)
  return sealSops(open, new Date(), path)
}

async function writeNew(path: string, text: string, file: SecretsFile): Promise<void> {
  parseSecretsFile(formatSecretsFile(file), path)
  try {
    await writeDurably(path, text, { mustBeNew: true })
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    throw new SecretsError(
      exists ? 'There are secrets already.' : `The secrets cannot be written: ${reasonOf(cause)}.`,
      {
        where: path,
        fix: exists
          ? 'Use them, or move the file away if the cluster is gone.'
          : 'Check the folder and its permissions.',
        cause,
      },
    )
  }
}

/** New secrets must not be created while the old ones exist under another name. */
async function refuseOtherForm({ plain, plainPath, sealedPath }: FileHome): Promise<void> {
  const other = plain ? sealedPath : plainPath
  const text = plainPath === sealedPath ? undefined : await findFile(other)
  if (text === undefined || !/^trustdinfo:/m.test(text)) return
  throw new SecretsError(
    `The secrets are kept ${plain ? 'encrypted' : 'unencrypted'} in this file, and this run expects them ${plain ? 'unencrypted' : 'encrypted'}.`,
    {
      where: other,
      fix: plain
        ? 'Run `ichor secrets decrypt`, or leave out `plain`.'
        : 'Run `ichor secrets encrypt`, or choose plain secrets.',
    },
  )
}
