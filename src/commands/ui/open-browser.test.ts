import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newToken } from '../../page/guard.js'
import { openBrowser } from './open-browser.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-open-browser-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A program in place of the browser: it notes how it was called, and what it was given to open. */
function fakeBrowser(): string {
  const seen = join(folder, 'seen')
  const script = `#!/bin/sh\n{ echo "$0 $*"; env; } > ${seen}.call\nls -l "$1" > ${seen}.file\ncat "$1" > ${seen}.tmp\nmv ${seen}.tmp ${seen}\n`
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), script)
    chmodSync(join(folder, name), 0o755)
  }
  return seen
}

test('the key is in no argument and no variable of the browser, and the file that leads to the link is for this user only', async () => {
  const seen = fakeBrowser()
  const token = newToken()
  const link = `http://127.0.0.1:4000/#token=${token}`
  const opened = await openBrowser(link, { PATH: `${folder}:${process.env.PATH}` })
  const read = (file: string) => readFileSync(file, 'utf8')
  await expect.poll(() => existsSync(seen), { timeout: 10_000 }).toBe(true)
  expect(read(seen)).toContain(link)
  expect(read(`${seen}.call`)).toContain('ichor.html')
  expect(read(`${seen}.call`)).not.toContain(token)
  expect(read(`${seen}.file`)).toMatch(/^-rw-------/)
  await opened.remove()
})
