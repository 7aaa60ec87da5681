/**
 * The texts of all elements with that name, in order; enough for the flat responses of S3. Reads the body once: a
 * regular expression would start again at every tag that a hostile service leaves open.
 */
export function elements(xml: string, name: string): string[] {
  const found: string[] = []
  const closing = `</${name}>`
  for (let start = endOfOpening(xml, name, 0); start !== -1; ) {
    const end = xml.indexOf(closing, start)
    if (end === -1) return found
    found.push(xml.slice(start, end))
    start = endOfOpening(xml, name, end + closing.length)
  }
  return found
}

/** Where the content of the next element with that name begins; -1 if there is none. */
function endOfOpening(xml: string, name: string, from: number): number {
  const opening = `<${name}`
  for (let at = xml.indexOf(opening, from); at !== -1; at = xml.indexOf(opening, at + opening.length)) {
    const next = xml[at + opening.length] ?? ''
    if (next === '>' || /\s/.test(next)) return xml.indexOf('>', at) + 1 || -1
  }
  return -1
}

/** The text of the first element with that name, decoded. */
export function findElement(xml: string, name: string): string | undefined {
  const start = endOfOpening(xml, name, 0)
  const end = start === -1 ? -1 : xml.indexOf(`</${name}>`, start)
  return end === -1 ? undefined : decode(xml.slice(start, end))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const lastCodePoint = 0x10ffff

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, number?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16)
    return code <= lastCodePoint ? String.fromCodePoint(code) : whole
  })
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
