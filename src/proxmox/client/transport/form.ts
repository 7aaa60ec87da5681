export type FormValue = string | number | boolean | readonly string[]
export type Form = Readonly<Record<string, FormValue | undefined>>

/** Proxmox takes booleans as 0 and 1 and arrays as repeated keys; undefined values are omitted. */
export function encodeForm(form: Form): string {
  const pairs = new URLSearchParams()
  for (const [key, value] of Object.entries(form)) {
    if (value === undefined) continue
    if (typeof value === 'object') for (const item of value) pairs.append(key, item)
    else pairs.append(key, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  return pairs.toString()
}

/** The path with its query; GET and DELETE have their parameters there, because Proxmox refuses a body on them. */
export function withQuery(path: string, query: Form): string {
  const encoded = encodeForm(query)
  return encoded === '' ? path : `${path}?${encoded}`
}

/** A body that is read while it is sent, and from the start if it is sent again. */
export interface StreamedBody {
  readonly byteLength: number
  open(): AsyncIterable<Uint8Array>
}

export interface Multipart {
  readonly contentType: string
  readonly body: Uint8Array | StreamedBody
}

/**
 * A file upload in the only layout that Proxmox reads: fields in this order, the file last, its disposition first, the
 * boundary without quotes.
 */
export function encodeUpload(
  fields: readonly (readonly [string, string])[],
  name: string,
  bytes: Uint8Array | StreamedBody,
): Multipart {
  const boundary = `ichor-${crypto.randomUUID()}`
  const head = fields.map(
    ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  )
  const file = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="filename"; filename="${name}"`,
    'Content-Type: application/octet-stream',
  ]
  const before = Buffer.from(`${head.join('')}${file.join('\r\n')}\r\n\r\n`)
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: bytes instanceof Uint8Array ? Buffer.concat([before, bytes, after]) : surrounded(before, bytes, after),
  }
}

function surrounded(before: Uint8Array, file: StreamedBody, after: Uint8Array): StreamedBody {
  return {
    byteLength: before.byteLength + file.byteLength + after.byteLength,
    async *open() {
      yield before
      yield* file.open()
      yield after
    },
  }
}
