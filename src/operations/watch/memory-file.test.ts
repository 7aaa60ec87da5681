import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyMemory } from '../../watch/memory.js'
import { memoryFile } from './memory-file.js'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ichor-memory-'))
  folder = join(root, 'dev')
  mkdirSync(folder)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (seenAt: number) => ({ ...emptyMemory('dev'), seenAt })
/** As where the inventory is mounted read-only; also for root, whom a mode does not stop. */
const makeReadOnly = () => {
  rmSync(join(folder, '.ichor'), { recursive: true, force: true })
  writeFileSync(join(folder, '.ichor'), '')
}

test('it is beside the inventory where that can be written', async () => {
  const file = memoryFile(folder, { isLab: false, env: { XDG_STATE_HOME: join(root, 'state') } })
  expect(await file.write(at(1))).toBe(true)
  const another = memoryFile(folder, { isLab: false, env: {} })
  expect(await another.read()).toMatchObject({ seenAt: 1 })
})

test('an inventory that is mounted read-only does not forget at a restart', async () => {
  makeReadOnly()
  const env = { XDG_STATE_HOME: join(root, 'state') }
  expect(await memoryFile(folder, { isLab: false, env }).write(at(2))).toBe(true)
  expect(await memoryFile(folder, { isLab: false, env }).read()).toMatchObject({ seenAt: 2 })
  expect(await memoryFile(join(root, 'other'), { isLab: false, env }).read()).toBeUndefined()
  expect(await memoryFile(folder, { isLab: true, env }).read()).toBeUndefined()
})

test('with --state, it survives a folder that every synchronization replaces', async () => {
  const state = join(root, 'kept')
  await memoryFile(folder, { isLab: false, env: {}, state }).write(at(3))
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  expect(await memoryFile(folder, { isLab: false, env: {}, state }).read()).toMatchObject({ seenAt: 3 })
})

test('where nothing can be written, that is said', async () => {
  makeReadOnly()
  expect(await memoryFile(folder, { isLab: false, env: {} }).write(at(4))).toBe(false)
})

test('of two, the one that was written last counts', async () => {
  const env = { XDG_STATE_HOME: join(root, 'state') }
  const file = memoryFile(folder, { isLab: false, env })
  makeReadOnly()
  await file.write(at(5))
  rmSync(join(folder, '.ichor'))
  await file.write(at(6))
  expect(await file.read()).toMatchObject({ seenAt: 6 })
  makeReadOnly()
  await file.write(at(7))
  rmSync(join(folder, '.ichor'))
  expect(await file.read()).toMatchObject({ seenAt: 7 })
})
