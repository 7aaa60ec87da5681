import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Context } from '../frame/context.js'
import { openPrompt, type Prompt } from './prompt.js'

const choices = [
  { value: 'vmbr0', about: '10.0.10.0/24' },
  { value: 'vmbr1', about: 'without an address' },
  { value: 'vmbr2', about: 'of the storage network, which is rather far away from everything else' },
]

/** Somebody types: keys on a terminal that can read them, lines on one that cannot, or lines from a pipe. */
function asked(kind: 'keys' | 'lines' | 'pipe', typed: readonly string[], columns = 40) {
  const modes: boolean[] = []
  let written = ''
  const stdin = Object.assign(
    new PassThrough(),
    kind === 'pipe' ? {} : { isTTY: true },
    kind === 'keys' ? { setRawMode: (isRaw: boolean) => modes.push(isRaw) } : {},
  )
  const left = [...typed]
  const send = () => {
    const next = left.shift()
    if (next !== undefined) setImmediate(() => stdin.write(next))
  }
  const context: Context = {
    stdout: { write: () => true },
    stderr: {
      columns,
      write: (text: string) => {
        written += text
        if (kind === 'keys' ? text.endsWith('\u001b[?7h') : text.endsWith(': ')) send()
        return true
      },
    },
    stdin,
    env: { NO_COLOR: '1' },
    cwd: '/',
    signal: AbortSignal.timeout(10_000),
    program: 'ichor',
  }
  if (kind === 'pipe') stdin.end(typed.join(''))
  return { prompt: openPrompt(context), text: () => written, modes }
}

const chooseBridge = (prompt: Prompt) => prompt.choose('Bridge', choices, 'vmbr0')

test('arrow keys choose on a terminal; the list is gone afterwards, and one line with the answer stays', async () => {
  const { prompt, text, modes } = asked('keys', ['\u001b[B', '\u001b[B', '\u001b[A', '\r'])
  expect(await chooseBridge(prompt)).toBe('vmbr1')
  expect(text().split('\u001b[0J\r').at(-1)).toBe('\u001b[?25hBridge  vmbr1\n')
  expect(modes).toEqual([true, false])
})

test('no line of the list is wider than 40 columns', async () => {
  const { prompt, text } = asked('keys', ['2\r'])
  await chooseBridge(prompt)
  const frame = text().split('\u001b[?7l')[1]?.split('\r\u001b[?7h')[0] ?? ''
  for (const line of frame.trim().split('\r\u001b[1A')) expect(line.length).toBeLessThan(40)
})

test('several are chosen with the space bar, and at least one', async () => {
  const { prompt } = asked('keys', [' ', '\u001b[B', ' ', '\r', ' ', '\r'])
  expect(await prompt.chooseSome('Hosts', choices.slice(0, 2), ['vmbr0', 'vmbr1'])).toEqual(['vmbr1'])
})

test('a digit is the choice of that name before it is a place, and a single choice is no question', async () => {
  const counts = ['1', '3', '5'].map((value) => ({ value, about: '' }))
  expect(await asked('keys', ['3', '\r']).prompt.choose('Control planes', counts, '1')).toBe('3')
  const { prompt, text } = asked('keys', [])
  expect(await prompt.choose('Bridge', choices.slice(0, 1), 'vmbr0')).toBe('vmbr0')
  expect(text()).toBe('Bridge  vmbr0 (the only one)\n')
})

test('Ctrl-C at a list gives the terminal back and cancels', async () => {
  const { prompt, text, modes } = asked('keys', ['\u0003'])
  await expect(chooseBridge(prompt)).rejects.toThrow('Stopped at the question')
  expect(modes).toEqual([true, false])
  expect(text().endsWith('\u001b[?25h')).toBe(true)
})

test.each(['lines', 'pipe'] as const)(
  'without keys (%s), a number or a name chooses, and anything else is asked again',
  async (kind) => {
    const { prompt, text } = asked(kind, ['vmbr7\n', 'NaN\n', '9\n', '2\n', '\n', 'vmbr2, 1\n', 'x\n', 'dev\n'])
    expect(await chooseBridge(prompt)).toBe('vmbr1')
    expect(text()).toContain('  2  vmbr1  without an address')
    expect(text().match(/There is no /g)).toHaveLength(3)
    expect(await chooseBridge(prompt)).toBe('vmbr0')
    expect(await prompt.chooseSome('Bridges', choices, ['vmbr0'])).toEqual(['vmbr2', 'vmbr0'])
    expect(await prompt.text('Name', 'a', (answer) => (answer === 'x' ? 'Not x.' : undefined))).toBe('dev')
    expect(text()).toContain('  Not x.\n')
    prompt.end()
  },
)

test('a pipe that ends before its questions is refused with the flags', async () => {
  const { prompt } = asked('pipe', [])
  await expect(chooseBridge(prompt)).rejects.toMatchObject({ fix: expect.stringContaining('--yes') })
})
