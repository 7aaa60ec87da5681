import { expect, test } from 'vitest'
import { PlanRefused } from '../errors.js'
import type { World } from '../world.js'
import { stepOf } from './index.js'
import type { StepContext } from './step.js'

const filename = 'talos.qcow2'
const volid = `local:import/${filename}`
const whole = 1000
const args = { image: 'i' }

interface Situation {
  /** Bytes that lie under the name of the image. */
  readonly there?: number
  readonly isRunning?: boolean
  readonly checksum?: object
  readonly extensions?: readonly string[]
}

/** A host that fetches an image, and what it was asked to do. */
function aHost({ there, isRunning = false, checksum, extensions = [] }: Situation = {}) {
  const asked: string[] = []
  let size = there
  let running = isRunning ? [{ type: 'download', id: filename }] : []
  const proxmox = {
    storage: {
      content: async () => (size === undefined ? [] : [{ volid, size }]),
      removeVolume: async () => {
        asked.push('remove')
        size = undefined
      },
    },
    images: {
      download: async (_host: string, _storage: string, wanted: object) => {
        asked.push(`download ${JSON.stringify(wanted)}`)
        size = whole
      },
    },
    tasks: {
      running: async () => running,
      wait: async () => {
        asked.push('wait')
        if (running.length > 0) size = whole
        running = []
      },
    },
  }
  const factory = {
    extensions: async () => ['siderolabs/qemu-guest-agent'],
    register: async () => void asked.push('register'),
    size: async () => whole,
  }
  const schematic = { customization: { systemExtensions: { officialExtensions: extensions } } }
  const origin = { kind: 'factory', url: 'http://factory/x', talosVersion: 'v1.13.9', schematic, checksum }
  const image = { key: 'i', host: 'pve1', datastore: 'local', content: 'import', filename, origin }
  const context = {
    desired: { images: [image] },
    signal: AbortSignal.timeout(5000),
    note: () => undefined,
    assertLease: () => undefined,
  } as unknown as StepContext
  return { world: { proxmox, factory } as unknown as World, context, asked }
}

const download = (more: object = {}) =>
  `download ${JSON.stringify({ url: 'http://factory/x', content: 'import', filename, ...more })}`
const sha = { algorithm: 'sha256', value: 'ab' }

test.each<{ story: string; situation: Situation; isDone?: boolean; asks: string[] }>([
  { story: 'what is not there is registered, then downloaded', situation: {}, asks: ['register', download(), 'wait'] },
  { story: 'what is there as a whole is done', situation: { there: whole }, isDone: true, asks: [] },
  {
    story: 'a part of it is removed first',
    situation: { there: 10 },
    asks: ['register', 'remove', download(), 'wait'],
  },
  {
    story: 'a download that runs already is waited for, though its file is listed',
    situation: { there: whole, isRunning: true },
    asks: ['register', 'wait'],
  },
  {
    story: 'a checksum is handed on where there is one',
    situation: { checksum: sha },
    asks: ['register', download({ checksum: sha }), 'wait'],
  },
])('$story', async ({ situation, isDone = false, asks }) => {
  const { world, context, asked } = aHost(situation)
  expect(await stepOf('fetch-image').done(args, world, context)).toBe(isDone)
  if (!isDone) await stepOf('fetch-image').run(args, world, context)
  expect(asked).toEqual(asks)
  expect(await stepOf('fetch-image').done(args, world, context)).toBe(true)
})

test('an extension that the factory does not know is refused before anything is registered', async () => {
  const { world, context, asked } = aHost({ extensions: ['siderolabs/qemu-guest-agent', 'siderolabs/no-such-thing'] })
  const attempt = stepOf('fetch-image').run(args, world, context)
  await expect(attempt).rejects.toBeInstanceOf(PlanRefused)
  await expect(attempt).rejects.toThrow('There is no extension siderolabs/no-such-thing for Talos v1.13.9.')
  expect(asked).toEqual([])
})
