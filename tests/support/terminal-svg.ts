const lineHeight = 18
const charWidth = 7.8
const padding = 16
const barHeight = 30

/** A terminal with these lines as a picture: commands bold, what is well green, what is created green, notes grey. */
export function terminalSvg(title: string, lines: readonly string[]): string {
  const columns = Math.max(80, ...lines.map((line) => line.length))
  const width = Math.ceil(columns * charWidth) + 2 * padding
  const height = barHeight + lines.length * lineHeight + padding
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0f172a"/>`,
    ...['#f87171', '#fbbf24', '#34d399'].map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="15" r="5.5" fill="${fill}"/>`,
    ),
    '<g font-family="monospace" font-size="13" xml:space="preserve">',
    ...lines.map((line, index) => lineText(line, barHeight + (index + 1) * lineHeight - 4)),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function lineText(line: string, y: number): string {
  const bold = line.startsWith('$ ') ? ' font-weight="600"' : ''
  return `<text x="${padding}" y="${y}" fill="${colourOf(line)}"${bold}>${escaped(line)}</text>`
}

function colourOf(line: string): string {
  if (line.startsWith('$ ')) return '#f8fafc'
  if (/^(ok |✓)|HEALTHY/.test(line)) return '#4ade80'
  if (/^ {2}\+/.test(line)) return '#86efac'
  if (line === '…' || /^(done|wrote) /.test(line)) return '#94a3b8'
  return '#cbd5e1'
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
}
