import { PlainError } from './plain-error.js'

export interface Upload {
  readonly fields: Readonly<Record<string, string>>
  readonly filename: string
  readonly bytes: Uint8Array
}

const order = ['content', 'checksum-algorithm', 'checksum']
const perlSource = 'at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line'

/**
 * An upload, parsed like the original: small fields in a fixed order, then the file; whatever follows counts as part of
 * the file.
 */
export function parseUpload(body: Buffer, boundary: string): Upload {
  const delimiter = Buffer.from(`--${boundary}`)
  const fields: Record<string, string> = {}
  let expected = 0
  let at = body.indexOf(delimiter)
  while (at >= 0) {
    const headEnd = body.indexOf('\r\n\r\n', at)
    if (headEnd < 0) break
    const head = body.subarray(at + delimiter.length, headEnd).toString('utf8')
    const filename = /filename="([^"]*)"/.exec(head)?.[1]
    const name = / name="([^"]*)"/.exec(head)?.[1] ?? ''
    if (filename !== undefined)
      return { fields, filename: cleanName(filename), bytes: fileBytes(body, headEnd + 4, boundary, name) }
    const next = body.indexOf(delimiter, headEnd)
    const position = order.indexOf(name)
    if (name === 'filename' || next < 0) break
    if (position < expected) throw new PlainError(400, 'Bad Request', { emptyBody: true })
    fields[name] = body.subarray(headEnd + 4, next - 2).toString('utf8')
    expected = position + 1
    at = next
  }
  throw new PlainError(500, `upload failed ${perlSource} 1317.\n`)
}

function fileBytes(body: Buffer, start: number, boundary: string, field: string): Uint8Array {
  if (field !== 'filename')
    throw new PlainError(500, `wrong field name '${field}' for file upload, expected 'filename' ${perlSource} 1281.\n`)
  const end = body.lastIndexOf(`\r\n--${boundary}--`)
  return Uint8Array.prototype.slice.call(body, start, end < 0 ? body.length : end)
}

/** The directory part is dropped, and special characters become underscores. */
export function cleanName(filename: string): string {
  const base = filename.split(/[/\\]/).at(-1) ?? ''
  return base.replace(/[^A-Za-z0-9_.-]/g, '_')
}
