import { reasonOf } from '../../errors.js'
import { SecretsError } from '../secrets-error.js'
import { openNative } from './open-native.js'

/** The data key of a file, encrypted for one age recipient, as in SOPS's metadata. */
export interface WrappedKey {
  readonly recipient: string
  /** Armored age file. */
  readonly enc: string
}

/** Encrypts the data key once for each recipient. */
export async function wrapDataKey(
  dataKey: Uint8Array,
  recipients: readonly string[],
  where: string,
): Promise<WrappedKey[]> {
  const { armor, Encrypter } = await import('age-encryption')
  const wrap = async (recipient: string): Promise<WrappedKey> => {
    const encrypter = new Encrypter()
    try {
      encrypter.addRecipient(recipient)
    } catch (cause) {
      throw new SecretsError(
        `ichor cannot encrypt for ${shortened(recipient)}: ${kindOf(recipient) ?? reasonOf(cause)}.`,
        {
          where,
          fix: 'Use native age recipients (age1…, from `age-keygen`): the encryption library of ichor supports no other kind. `sops` itself can add further recipients to a file that ichor opens with an age key.',
        },
      )
    }
    return { recipient, enc: armor.encode(await encrypter.encrypt(dataKey)) }
  }
  return Promise.all(recipients.map(wrap))
}

/** Recipient types that `age` and `sops` support and the library does not; `undefined` for a misspelt one. */
export function kindOf(recipient: string): string | undefined {
  if (/^ssh-(ed25519|rsa) /.test(recipient)) return 'it is an SSH key'
  const [, plugin] = /^age1([a-z0-9-]+?)1[02-9ac-hj-np-z]{20,}$/.exec(recipient) ?? []
  return plugin === undefined || plugin === 'pq' ? undefined : `it needs the age plugin ${plugin}`
}

function shortened(recipient: string): string {
  return recipient.length > 80 ? `${recipient.slice(0, 40)}…` : recipient
}

/** The data key, decrypted with any matching age key; `undefined` if none matches. */
export async function findDataKey(
  wrapped: readonly WrappedKey[],
  ageKeys: readonly string[],
): Promise<Uint8Array | undefined> {
  for (const { enc } of wrapped) {
    for (const key of ageKeys) {
      const opened = openNative(enc, key)
      if (opened !== undefined) return opened
    }
  }
  return findOtherKind(wrapped, ageKeys)
}

/** The library knows every kind of key. */
async function findOtherKind(
  wrapped: readonly WrappedKey[],
  ageKeys: readonly string[],
): Promise<Uint8Array | undefined> {
  const { armor, Decrypter } = await import('age-encryption')
  for (const { enc } of wrapped) {
    for (const key of ageKeys) {
      try {
        const decrypter = new Decrypter()
        decrypter.addIdentity(key)
        return await decrypter.decrypt(armor.decode(enc.trim()))
      } catch {
        // Encrypted for another recipient, or not a key: try the next one.
      }
    }
  }
  return undefined
}
