import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { copyTo } from './copy-to.js'

const clipboard = '\u001b]52;c;cm0gLXJmIH4=\u0007'

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  // One byte at a time: characters and sequences are split between chunks.
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
}

async function copied(isTTY: boolean, text: string): Promise<string> {
  let written = ''
  const stdout = { isTTY, write: (part: string) => (written += part) }
  const { signal } = new AbortController()
  const context = { stdout, stderr: stdout, stdin: new PassThrough(), env: {}, cwd: '/', signal, program: 'ichor' }
  await copyTo(context, chunks(text))
  return written
}

test('logs give a terminal nothing that it would follow', async () => {
  expect(await copied(true, `a pod\tsays ${clipboard}é ✓\n`)).toBe('a pod\tsays ·]52;c;cm0gLXJmIH4=·é ✓\n')
})

test('a file or a pipe gets the bytes as they are', async () => {
  expect(await copied(false, clipboard)).toBe(clipboard)
})
