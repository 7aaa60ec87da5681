import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { commandsPage } from '../../tests/support/reference-pages/commands.js'
import { manPage } from '../../tests/support/reference-pages/man-page.js'
import { commands } from './index.js'

test('the page of commands in docs/ is the one that the definitions give (vitest -u writes it again)', async () => {
  await expect(await commandsPage(commands)).toMatchFileSnapshot('../../docs/commands.md')
})

test('the man page is the one that the definitions give (vitest -u writes it again)', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  await expect(await manPage(commands, version)).toMatchFileSnapshot('../../man/ichor.1')
})
