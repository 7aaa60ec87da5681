import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import type { DesiredImage, FactoryOrigin } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { World } from '../world.js'

const filename = 'talos.qcow2'
const volid = `local:import/${filename}`
const whole = 1000
const step = stepOf('fetch-image', { image: 'i' })
const desired = await aDesired()

interface Situation {
  /** Size of the file with the image's name. */
  readonly there?: number
  readonly isRunning?: boolean
  readonly checksum?: NonNullable<FactoryOrigin['checksum']>
  readonly extensions?: readonly string[]
}

function anImage({ checksum, extensions = [] }: Situation): DesiredImage {
  const schematic = { customization: { systemExtensions: { officialExtensions: extensions } } }
  const url = 'http://factory/x'
  return {
    key: 'i',
    host: 'pve1',
    datastore: 'local',
    isShared: false,
    content: 'import',
    filename,
    schematicId: 's',
    origin: {
      kind: 'factory',
      url,
      talosVersion: 'v1.13.9',
      schematic,
      ...(checksum === undefined ? {} : { checksum }),
    },
  }
}

/** A host that downloads an image, and the calls it received. */
function aHost(situation: Situation = {}) {
  const asked: string[] = []
  let size = situation.there
  let running = situation.isRunning ? [{ host: 'pve1', upid: 'UPID', type: 'download', id: filename }] : []
  const world = aStub<World>({
    proxmox: {
      storage: {
        content: async () => (size === undefined ? [] : [{ volid, size }]),
        removeVolume: async () => {
          asked.push('remove')
          size = undefined
          return undefined
        },
      },
      images: {
        download: async (_host, _storage, wanted) => {
          asked.push(`download ${JSON.stringify(wanted)}`)
          size = whole
          return { host: 'pve1', upid: 'UPID' }
        },
      },
      tasks: {
        running: async () => running,
        wait: async () => {
          asked.push('wait')
          if (running.length > 0) size = whole
          running = []
          return { warnings: [] }
        },
      },
    },
    factory: {
      extensions: async () => ['siderolabs/qemu-guest-agent'],
      register: async () => {
        asked.push('register')
        return 's'
      },
      size: async () => whole,
    },
  })
  return { world, context: aContext({ desired: { ...desired, images: [anImage(situation)] } }), asked }
}

const download = (more: object = {}) =>
  `download ${JSON.stringify({ url: 'http://factory/x', content: 'import', filename, ...more })}`
const sha = { algorithm: 'sha256', value: 'ab' } as const

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
  expect(await step.done({ ...context, ...world })).toBe(isDone)
  if (!isDone) await step.run({ ...context, ...world })
  expect(asked).toEqual(asks)
  expect(await step.done({ ...context, ...world })).toBe(true)
})

test('an extension that the factory does not know is refused before anything is registered', async () => {
  const { world, context, asked } = aHost({ extensions: ['siderolabs/qemu-guest-agent', 'siderolabs/no-such-thing'] })
  const attempt = step.run({ ...context, ...world })
  await expect(attempt).rejects.toBeInstanceOf(PlanRefused)
  await expect(attempt).rejects.toThrow('There is no extension siderolabs/no-such-thing for Talos v1.13.9.')
  expect(asked).toEqual([])
})
