import { expect, test } from 'vitest'
import { readConfig } from './read-config.js'

test.each([
  ['machine: {', 'config:1'],
  ['machine: *gone', 'config'],
])('%j is not YAML', (text, where) => {
  expect(() => readConfig(text, 'config')).toThrow(
    expect.objectContaining({ name: 'ConfigError', where, message: 'This machine config is not YAML.' }),
  )
})
