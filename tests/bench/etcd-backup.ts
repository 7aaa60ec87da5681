import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { createFolderStore } from '../../src/backup/folder-store.js'
import { spool } from '../../src/backup/spool.js'
import { takeSnapshot } from '../../src/backup/take-snapshot.js'
import { emptyMemory } from '../../src/secrets/bundle-file.js'
import { generateBundle } from '../../src/secrets/generate.js'
import { largeEtcdFile } from '../support/large-etcd-file.js'

const mebibyte = 1024 ** 2
const size = 2048 * mebibyte
const part = 32 * 1024

/** A 2 GB snapshot with 1.5 million keys to a folder: received, encrypted, stored, read back, its keys counted. */
export default { name: 'a 2 GB etcd snapshot to a folder', run }

interface Result {
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly unit: string
}

async function run(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-bench-'))
  try {
    const source = join(folder, 'source')
    await spool(source, largeEtcdFile(size))
    const recipient = await identityToRecipient(await generateX25519Identity())
    const alone = await timed(() => encryptAlone(source, recipient))
    const secrets = { bundle: await generateBundle('v1.13'), memory: emptyMemory }
    const facts = {
      cluster: 'dev',
      clusterId: '',
      talosVersion: '',
      kubernetesVersion: '',
      etcdVersion: '',
      members: [],
    }
    const store = createFolderStore(join(folder, 'store'))
    const input = { store, from: 'bench', facts, secrets, recipients: [recipient], takenAt: new Date() }
    const watch = watchMemory()
    const whole = await timed(() => takeSnapshot({ ...input, stream: partsOf(source) }, new AbortController().signal))
    const grown = watch.stop()
    return [
      {
        name: 'a 2 GB etcd snapshot to a folder: extra memory',
        value: Math.round(grown / mebibyte),
        limit: 100,
        unit: 'MB',
      },
      {
        name: `a 2 GB etcd snapshot to a folder (${(whole / 1000).toFixed(1)} s): times the encryption of the age library alone`,
        value: Math.round((whole / alone) * 100) / 100,
        limit: 1.3,
        unit: 'times',
      },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

function partsOf(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: part })
}

/** The same bytes through the library, to nowhere. */
async function encryptAlone(path: string, recipient: string): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const parts = partsOf(path)[Symbol.asyncIterator]()
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await parts.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
  for await (const sealed of await encrypter.encrypt(stream)) if (sealed.length === 0) return
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The most memory that the process had while it was watched, beyond what it had at the start. */
function watchMemory() {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  return {
    stop: () => {
      clearInterval(timer)
      return peak - before
    },
  }
}
