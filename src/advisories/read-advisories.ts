import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { FileError, reasonOf } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { resolveFile } from '../inventory/referenced-files.js'
import type { Advisory } from './advisory.js'
import { parseAdvisories } from './parse-advisories.js'
import { shippedAdvisories } from './shipped-advisories.js'

/**
 * Those of this release and those of the inventory. A signed file may replace what was shipped, so that a release is not
 * needed; a file without a signature only adds.
 */
export async function readAdvisories({
  settings,
  folder,
  where,
}: Pick<Inventory, 'settings' | 'folder' | 'where'>): Promise<readonly Advisory[]> {
  const shipped = shippedAdvisories()
  if (settings.advisories === undefined) return shipped
  const { file, key } = settings.advisories
  const path = resolveFile(folder, file)
  const place = where('advisories')
  const text = await read(path, file, place)
  if (key !== undefined) refuseUnsigned(text, await read(`${path}.sig`, `${file}.sig`, place), key, place)
  const own = parseAdvisories(text, file)
  const ids = new Set(own.map(({ id }) => id))
  const taken = shipped.find(({ id }) => ids.has(id))
  if (taken !== undefined && key === undefined) throw alreadyTaken(taken.id, place)
  return [...shipped.filter(({ id }) => !ids.has(id)), ...own]
}

async function read(path: string, file: string, where: string): Promise<string> {
  return readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new FileError(`The advisories ${file} cannot be read: ${reasonOf(thrown)}.`, {
      where,
      fix: 'Write a path relative to the folder of the inventory.',
    })
  })
}

/** Both are base64: the raw public key of 32 bytes, and the signature of the file as it is. */
function refuseUnsigned(text: string, signature: string, key: string, where: string): void {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'base64').toString('base64url') }
  if (isSigned(text, signature, jwk)) return
  throw new FileError('The signature of the advisories does not match.', {
    where,
    fix: 'Take the file and its .sig from the same source again, and compare advisories.key with the key of who signs them.',
  })
}

function isSigned(text: string, signature: string, jwk: { kty: string; crv: string; x: string }): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), 'base64'))
  } catch {
    return false
  }
}

function alreadyTaken(id: string, where: string): FileError {
  return new FileError(`The advisory ${id} comes with ichor, and a file without a signature cannot replace it.`, {
    where,
    fix: 'Give yours another id. To go on in spite of one, use --accept.',
  })
}
