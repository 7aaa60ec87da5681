/** Node's codes for a certificate that no known CA has signed; an expired one is another matter. */
const codes: readonly unknown[] = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]

/** Whether a call failed because the node has a certificate of another CA. */
export function isOfUntrustedCa(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  return ('code' in thrown && codes.includes(thrown.code)) || isOfUntrustedCa(thrown.cause)
}
