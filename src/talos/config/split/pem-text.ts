/** The new documents take PEM text; the bundle and v1alpha1 hold it in base64. */
export function pemText(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}
