import { elementsIn, oid } from './der.js'

export interface Issuer {
  readonly name: Buffer
  readonly keyId?: Buffer
}

/** The name of this CA, byte for byte, and its key ID if it has one. */
export function readIssuer(certificate: Buffer): Issuer {
  const fields = elementsIn(childrenOf(childrenOf(certificate)))
  const hasVersion = fields[0]?.tag === 0xa0
  const name = fields[hasVersion ? 5 : 4]?.whole
  if (name === undefined) throw new Error('the certificate of the CA has no subject')
  const extensions = fields.find(({ tag }) => tag === 0xa3)
  const keyId = extensions === undefined ? undefined : subjectKeyIdAmong(childrenOf(extensions.body))
  return { name, ...(keyId === undefined ? {} : { keyId }) }
}

function subjectKeyIdAmong(extensions: Buffer): Buffer | undefined {
  const wanted = oid('2.5.29.14')
  const parts = elementsIn(extensions).map(({ body }) => elementsIn(body))
  const value = parts.find(([id]) => id?.whole.equals(wanted))?.at(-1)?.body
  return value === undefined ? undefined : childrenOf(value)
}

/** What is inside the one element that these bytes begin with. */
function childrenOf(bytes: Buffer): Buffer {
  return elementsIn(bytes)[0]?.body ?? Buffer.alloc(0)
}
