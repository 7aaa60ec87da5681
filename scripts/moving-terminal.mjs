const cell = { width: 7.8, height: 18 }
const padding = 16
const barHeight = 30
/** The run is shown in this time, however long it took; its end is held, then the last picture. */
const runMs = 12_000
const holdMs = 3_000
const endMs = 5_000
const maxFrames = 60

/** Colours of a terminal, dark first, light second. */
const colours = {
  text: ['#cbd5e1', '#1e293b'],
  dim: ['#94a3b8', '#64748b'],
  red: ['#f87171', '#b91c1c'],
  green: ['#4ade80', '#15803d'],
  yellow: ['#fbbf24', '#a16207'],
  blue: ['#60a5fa', '#1d4ed8'],
  magenta: ['#c084fc', '#7e22ce'],
  cyan: ['#22d3ee', '#0e7490'],
}
const named = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan', 90: 'dim' }

/**
 * A terminal in which something happens, as one SVG: in the colours of the page that shows it, and still, at its end, for readers who
 * prefer less motion. A line that stays is drawn once, with the time from which to which it is seen.
 */
export function movingTerminal(title, { columns, rows }, running, end) {
  const shown = thinned(running)
  const length = running.at(-1).at
  const starts = [0, ...shown.slice(1).map(({ at }) => (at / length) * runMs), runMs + holdMs]
  const frames = [...shown.map(({ lines }) => lines), end.lines]
  const total = runMs + holdMs + endMs
  const percent = (frame) => (frame >= frames.length ? 100 : Math.round((starts[frame] / total) * 1000) / 10)
  const spans = new Map()
  const drawn = []
  for (let row = 0; row < rows; row++) {
    for (let from = 0; from < frames.length; ) {
      let to = from + 1
      while (to < frames.length && frames[to][row] === frames[from][row]) to++
      const text = lineText(frames[from][row] ?? '', row)
      if (text !== '') drawn.push({ text, span: spanOf(from, to) })
      from = to
    }
  }
  function spanOf(from, to) {
    if (from === 0 && to === frames.length) return undefined
    const name = `s${from}-${to}`
    spans.set(name, { from, to })
    return { name, isLast: to === frames.length }
  }
  const keyframes = [...spans].map(([name, { from, to }]) => {
    const steps = [
      ...(from === 0 ? [] : ['0%{visibility:hidden}']),
      `${percent(from)}%{visibility:visible}`,
      ...(to === frames.length ? [] : [`${percent(to)}%{visibility:hidden}`]),
    ]
    return `@keyframes ${name}{${steps.join('')}}.${name}{animation-name:${name}}`
  })
  const width = Math.ceil(columns * cell.width) + 2 * padding
  const height = barHeight + rows * cell.height + padding
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    '<style>',
    styles(),
    `.m{visibility:hidden;animation:${total / 1000}s step-end infinite}.e{visibility:visible}`,
    ...keyframes,
    '@media (prefers-reduced-motion:reduce){.m{animation:none}}',
    '</style>',
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    ...['red', 'yellow', 'green'].map((name, at) => `<circle class="${name}" cx="${20 + at * 18}" cy="15" r="5.5"/>`),
    '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="13">',
    ...drawn.map(({ text, span }) =>
      span === undefined ? `<g>${text}</g>` : `<g class="m${span.isLast ? ' e' : ''} ${span.name}">${text}</g>`,
    ),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function styles() {
  const rules = (tone) => Object.entries(colours).map(([name, both]) => `.${name}{fill:${both[tone]}}`)
  return [
    ...rules(0),
    '.page{fill:#0f172a}.b{font-weight:600}',
    `@media (prefers-color-scheme:light){${rules(1).join('')}.page{fill:#f1f5f9}}`,
  ].join('')
}

/** Evenly spread over the time, the first and the last among them. */
function thinned(frames) {
  const every = frames.at(-1).at / maxFrames
  const kept = []
  for (const frame of frames) if (kept.length === 0 || frame.at - kept.at(-1).at >= every) kept.push(frame)
  return kept.at(-1) === frames.at(-1) ? kept : [...kept, frames.at(-1)]
}

/** One line of a terminal, with its escape sequences, as texts. Each part is as wide as its cells, in whatever font. */
function lineText(line, row) {
  const y = barHeight + (row + 1) * cell.height - 4
  let [colour, isBold, column] = ['text', false, 0]
  const parts = []
  const [plain, ...coloured] = line.split('\u001b[')
  const pieces = coloured.map((piece) => {
    const end = piece.indexOf('m')
    return { codes: piece.slice(0, end).split(';').map(Number), text: piece.slice(end + 1) }
  })
  for (const piece of [{ codes: [], text: plain }, ...pieces]) {
    for (const code of piece.codes) {
      if (code === 0) [colour, isBold] = ['text', false]
      else if (code === 1) isBold = true
      else if (code === 2) colour = 'dim'
      else if (code === 22) isBold = false
      else if (code === 39) colour = 'text'
      else colour = named[code] ?? named[code - 60] ?? colour
    }
    // Readers of SVG differ in what they make of several spaces.
    for (const { 0: text, index } of piece.text.matchAll(/\S+(?: \S+)*/g))
      parts.push({ text, at: column + [...piece.text.slice(0, index)].length, colour, isBold })
    column += [...piece.text].length
  }
  return parts
    .map(({ text, at, colour: own, isBold: bold }) => {
      const x = Math.round((padding + at * cell.width) * 10) / 10
      const length = Math.round([...text].length * cell.width * 10) / 10
      return `<text class="${own}${bold ? ' b' : ''}" x="${x}" y="${y}" textLength="${length}">${escaped(text)}</text>`
    })
    .join('')
}

function escaped(text) {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
}
