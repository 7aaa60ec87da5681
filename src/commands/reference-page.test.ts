import { expect, test } from 'vitest'
import { commandsPage } from '../../tests/support/reference-pages/commands.js'
import { commands } from './index.js'

test('the page of commands in docs/ is the one that the definitions give (vitest -u writes it again)', async () => {
  await expect(await commandsPage(commands)).toMatchFileSnapshot('../../docs/commands.md')
})
