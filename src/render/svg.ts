/** Escaped text for XML. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`).replace(/[^\P{C}\n]/gu, '')
}

/** The colours of all pictures, with enough contrast on white for text of twelve pixels. */
export const colours = {
  text: '#111827',
  faint: '#6b7280',
  line: '#d1d5db',
  panel: '#f9fafb',
  card: '#ffffff',
  blue: '#2563eb',
  green: '#059669',
  grey: '#6b7280',
  amber: '#d97706',
  red: '#dc2626',
  track: '#e5e7eb',
  jump: '#fef3c7',
  api: '#dbeafe',
  device: '#ede9fe',
  network: '#e0e7ff',
  networkLine: '#c7d2fe',
} as const

/** The same on a dark page. A viewer that knows no styles shows the light ones. */
const darkColours: Readonly<Record<keyof typeof colours, string>> = {
  text: '#e5e7eb',
  faint: '#9ca3af',
  line: '#374151',
  panel: '#161b26',
  card: '#0f1420',
  blue: '#60a5fa',
  green: '#34d399',
  grey: '#9ca3af',
  amber: '#fbbf24',
  red: '#f87171',
  track: '#374151',
  jump: '#5b4a11',
  api: '#1e3a6b',
  device: '#3b2f63',
  network: '#2b3158',
  networkLine: '#414a80',
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly fill: string
  readonly stroke?: string
  readonly radius?: number
  readonly title?: string
}

/** A rounded rectangle with a title for screen readers and tooltips. */
export function box({ x, y, width, height, fill, stroke = 'none', radius = 4, title }: Box): string {
  const inner = title === undefined ? '' : `<title>${escapeXml(title)}</title>`
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" stroke="${stroke}">${inner}</rect>`
}

export interface Label {
  readonly x: number
  /** The baseline. */
  readonly y: number
  readonly text: string
  readonly size?: number
  readonly bold?: boolean
  readonly fill?: string
  readonly anchor?: 'start' | 'middle' | 'end'
}

export function label({ x, y, text, size = 12, bold = false, fill = colours.text, anchor = 'start' }: Label): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${bold ? 600 : 400}" fill="${fill}" text-anchor="${anchor}">${escapeXml(text)}</text>`
}

export function line(x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1.5): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${stroke}" stroke-width="${width}"/>`
}

/** The approximate width of a text, without a font to measure. */
export function textWidth(text: string, size = 12): number {
  return Math.ceil(text.length * size * 0.56)
}

/** The text, truncated to fit. */
export function fitText(text: string, width: number, size = 12): string {
  const most = Math.max(1, Math.floor(width / (size * 0.56)))
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

/** Style rules win over the attributes that hold the light colours. */
function darkStyle(): string {
  const names = Object.keys(colours) as (keyof typeof colours)[]
  const rules = new Map(names.map((name) => [colours[name], darkColours[name]]))
  const texts = [...rules].map(([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`)
  return `<style>@media (prefers-color-scheme: dark){${texts.join('')}}</style>`
}

/** A complete picture without external fonts, scripts or styles, for light and dark pages. */
export function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    darkStyle(),
    `<rect width="${width}" height="${height}" fill="${colours.card}"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}
