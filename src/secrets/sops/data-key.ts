import { reasonOf } from '../../errors.js'
import { SecretsError } from '../secrets-error.js'

/** The data key of a file, encrypted for one age recipient; as SOPS's metadata holds it. */
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
      throw new SecretsError(`${recipient} is not an age recipient that ichor can encrypt for: ${reasonOf(cause)}.`, {
        where,
        fix: 'Use native age recipients (age1…); SSH keys and plugins are not supported.',
      })
    }
    return { recipient, enc: armor.encode(await encrypter.encrypt(dataKey)) }
  }
  return Promise.all(recipients.map(wrap))
}

/** The data key, opened with whichever of the age keys fits; `undefined` when none does. */
export async function findDataKey(
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
        // Wrapped for somebody else, or not a key at all: the next one may be it.
      }
    }
  }
  return undefined
}
