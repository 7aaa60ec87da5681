import { expect, test } from 'vitest'
import { commands } from './index.js'
import { commandsPage } from './reference-page.js'

test('the page of commands in docs/ is the one that the definitions give (vitest -u writes it again)', async () => {
  await expect(await commandsPage(commands)).toMatchFileSnapshot('../../docs/commands.md')
})
