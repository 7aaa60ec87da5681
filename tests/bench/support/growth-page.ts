import { readFileSync, writeFileSync } from 'node:fs'
import { exponentOf, type Point } from './exponent.js'

export interface Growth {
  readonly name: string
  readonly points: readonly Point[]
}

const page = 'docs/measurements.md'
const picture = 'docs/growth.svg'
const begin = '<!-- growth: begin -->'
const end = '<!-- growth: end -->'

/** Writes the table into docs/measurements.md and the picture beside it. */
export function recordGrowth(growths: readonly Growth[]): void {
  const [before = '', after = ''] = readFileSync(page, 'utf8').split(new RegExp(`(?<=${begin}\n)[^]*(?=\n${end})`))
  writeFileSync(page, `${before}${tableOf(growths)}\n\n![Time against the number of machines](growth.svg)${after}`)
  writeFileSync(picture, pictureOf(growths))
}

function tableOf(growths: readonly Growth[]): string {
  const sizes = [...new Set(growths.flatMap(({ points }) => points.map(({ machines }) => machines)))].toSorted(
    (one, other) => one - other,
  )
  const cell = (points: readonly Point[], size: number) => {
    const found = points.find(({ machines }) => machines === size)
    return found === undefined ? '' : inWords(found.ms)
  }
  return [
    `| machines | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | exponent |`,
    `| --- |${' ---: |'.repeat(sizes.length + 1)}`,
    ...growths.map(
      ({ name, points }) =>
        `| ${name} | ${sizes.map((size) => cell(points, size)).join(' | ')} | ${exponentOf(points).toFixed(2)} |`,
    ),
  ].join('\n')
}

function inWords(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

const width = 760
const height = 420
const margin = { left: 70, right: 170, top: 20, bottom: 50 }
/** For dark pages: style rules win over the attributes that hold the light colours. */
const darkStyle =
  '<style>@media (prefers-color-scheme: dark){[fill="#fff"]{fill:#0f1420}[fill="#444"]{fill:#d1d5db}text:not([fill]){fill:#e5e7eb}[stroke="#ddd"]{stroke:#374151}}</style>'

const colours = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#17becf', '#8c564b']

/** Both axes are logarithms: what grows linearly is a line of slope one. */
function pictureOf(growths: readonly Growth[]): string {
  const all = growths.flatMap(({ points }) => points)
  const x = scale(
    all.map(({ machines }) => machines),
    margin.left,
    width - margin.right,
  )
  const y = scale(
    all.map(({ ms }) => ms),
    height - margin.bottom,
    margin.top,
  )
  const text = (at: readonly [number, number], anchor: string, words: string, fill = '#444') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${words}</text>`
  const line = (points: string, stroke: string, strokeWidth: number) =>
    `<polyline fill="none" stroke="${stroke}" stroke-width="${strokeWidth}" points="${points}"/>`
  const grid = [
    ...x.ticks.flatMap((tick) => [
      line(`${x.at(tick)},${margin.top} ${x.at(tick)},${height - margin.bottom}`, '#ddd', 1),
      text([x.at(tick), height - margin.bottom + 18], 'middle', tick.toLocaleString('en')),
    ]),
    ...y.ticks.flatMap((tick) => [
      line(`${margin.left},${y.at(tick)} ${width - margin.right},${y.at(tick)}`, '#ddd', 1),
      text([margin.left - 8, y.at(tick) + 4], 'end', tick < 1000 ? `${tick} ms` : `${tick / 1000} s`),
    ]),
  ]
  const curves = growths.flatMap(({ name, points }, index) => {
    const colour = colours[index % colours.length] ?? '#444'
    const path = points.map(({ machines, ms }) => `${x.at(machines).toFixed(1)},${y.at(ms).toFixed(1)}`)
    return [
      line(path.join(' '), colour, 2),
      line(
        `${width - margin.right + 12},${margin.top + 10 + index * 22} ${width - margin.right + 30},${margin.top + 10 + index * 22}`,
        colour,
        2,
      ),
      text([width - margin.right + 36, margin.top + 14 + index * 22], 'start', name, colour),
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">`,
    '<title>Time against number of machines, both axes logarithmic</title>',
    darkStyle,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...grid,
    ...curves,
    text([(margin.left + width - margin.right) / 2, height - 12], 'middle', 'machines'),
    '</svg>',
    '',
  ].join('\n')
}

function scale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.ceil(Math.log10(Math.max(...values)))
  return {
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  }
}
