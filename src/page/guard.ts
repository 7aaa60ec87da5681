import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** After this time without a request the link is worth nothing. */
export const idleMs = 30 * 60_000

const tokenHeader = 'x-ichor-token'

/** 256 bits, in the fragment of the link: never in a request line, an argument or a log. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Why a request is refused. Other sites in the same browser may send requests here, also under a name of their own that
 * leads here; other users of this computer may connect, too.
 */
export function refusalOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { port, token, needsToken }: { readonly port: number; readonly token: string; readonly needsToken: boolean },
): string | undefined {
  const here = `127.0.0.1:${port}`
  if (headers.host !== here) return 'this name does not lead here'
  if (headers.origin !== undefined && headers.origin !== `http://${here}`) return 'another site sent it'
  const site = headers['sec-fetch-site']
  // A link on another site, or in a file, may lead to the empty page: it shows nothing, and no frame can hold it.
  const isVisit = !needsToken && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isVisit) return 'another site sent it'
  if (needsToken && !isSame(headers[tokenHeader], token))
    return 'the link is not valid any more; the terminal shows a new one'
  return undefined
}

function isSame(given: string | string[] | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(expected))
}

/** Nothing is loaded from elsewhere, and nothing is run that did not come with ichor. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}
