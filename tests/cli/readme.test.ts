import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDesk, type Desk } from './ichor.js'

const readme = readFileSync('README.md', 'utf8')
let desk: Desk
beforeAll(async () => {
  desk = aDesk()
  desk.write('cluster.yaml', blockAfter('# cluster.yaml', '```yaml'))
  await desk.ichor(['lab', 'start', '-i', 'cluster.yaml', '--speed', '100', '--detach'])
})
afterAll(async () => {
  await desk.ichor(['lab', 'stop'])
  desk.clear()
})

/** The code block that holds this text. */
function blockAfter(text: string, opening: string): string {
  const start = readme.lastIndexOf(opening, readme.indexOf(text)) + opening.length + 1
  return readme.slice(start, readme.indexOf('\n```', start) + 1)
}

/** How long something took differs from run to run, and what is waited for may have happened already. */
function timeless(line: string): string {
  return line
    .replace(/ \((\d.*|was done already)\)$/, ' (time)')
    .replace(/\d+ changes, [\d.]+ (s|min.*)$/, 'changes and time')
    .trimEnd()
}

test('every line of the transcript in the README is what ichor says', { timeout: 180_000 }, async () => {
  const transcript = blockAfter('$ ichor plan --lab', '```console lab')
  for (const part of transcript.split(/^\$ ichor /m).slice(1)) {
    const [command = '', ...lines] = part.split('\n')
    const { stdout, stderr, code } = await desk.ichor(command.split(' '))
    expect(code).toBe(0)
    const said = `${stderr}${stdout}`.split('\n').map(timeless)
    const missing = lines.map(timeless).filter((line) => line !== '…' && line !== '' && !said.includes(line))
    expect(missing, `ichor ${command}`).toEqual([])
  }
})
