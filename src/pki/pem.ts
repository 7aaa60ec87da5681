/** PEM text with a final newline, 64 characters per line. */
export function encodePem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** The first block of a PEM text; the error never contains the text. */
export function decodePem(text: string): { label: string; der: Buffer } {
  const match = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/.exec(text)
  if (match === null) throw new Error('this is not a complete PEM text')
  const [, label = '', body = ''] = match
  return { label, der: Buffer.from(body, 'base64') }
}
