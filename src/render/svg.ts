/** Text that stands for itself in XML. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`).replace(/[^\P{C}\n]/gu, '')
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly fill: string
  readonly title?: string
}

/** A rounded rectangle; its title is read out and shown when the pointer rests on it. */
export function box({ x, y, width, height, fill, title }: Box): string {
  const inner = title === undefined ? '' : `<title>${escapeXml(title)}</title>`
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="${fill}" stroke="#6b7280">${inner}</rect>`
}

export function label(x: number, y: number, text: string, size = 13, weight = 'normal'): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}">${escapeXml(text)}</text>`
}

/** A whole picture that needs no font, script or style from elsewhere. */
export function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}
