/** The texts of all elements with that name, in order; enough for the flat responses of S3. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    (match) => match[1] ?? '',
  )
}

/** The text of the first element with that name, decoded. */
export function findElement(xml: string, name: string): string | undefined {
  const [text] = elements(xml, name)
  return text === undefined ? undefined : decode(text)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, number?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (number !== undefined) return String.fromCodePoint(Number(number))
    return entities[name ?? ''] ?? whole
  })
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
