import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  readonly accessKey: string
  readonly secretKey: string
  /** For temporary credentials. */
  readonly sessionToken?: string
}

export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  /** Lower-case names; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>
  /** Hex SHA-256 of the body. */
  readonly bodyHash: string
}

const algorithm = 'AWS4-HMAC-SHA256'

/** The headers of a request with its signature (AWS Signature Version 4). The secret key itself is never sent. */
export function signRequest(
  request: UnsignedRequest,
  { accessKey, secretKey, sessionToken }: S3Credentials,
  region: string,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    'x-amz-content-sha256': request.bodyHash,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(headers).sort()
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(request.url),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    request.bodyHash,
  ].join('\n')
  const toSign = [algorithm, time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const credential = `Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...headers, authorization: `${algorithm} ${credential}` }
}

/** Everything except letters, digits and `-._~` is encoded, as the signature requires. */
export function encodePart(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
    .sort()
    .join('&')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
