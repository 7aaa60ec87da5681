/** The new documents take PEM as it is, where the bundle and the classic document hold base64 of it. */
export function pemText(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}
