import { type Check, collect, expect, fieldsOf } from '../check.js'
import type { Guest } from '../guest.js'
import { dataDiskGiB, volume } from '../subject.js'

const GiB = 1024 ** 3

/** A disk with `volume:` becomes a mounted volume. */
export const volumeChecks: readonly Check[] = [
  {
    title: `the volume ${volume} is ready`,
    run: async (guest) => {
      await readyVolume(guest, 60)
    },
  },
  {
    title: `the volume ${volume} is on the data disk and on no other`,
    run: async (guest) => {
      const { parentLocation } = await readyVolume(guest, 1)
      const disks = await guest.node.resources.list('Disks.block.talos.dev', 'runtime', guest.signal)
      const found = disks.map(({ spec }) => fieldsOf(spec)).find(({ dev_path }) => dev_path === parentLocation)
      expect(found?.size === dataDiskGiB * GiB, `it is on ${parentLocation} of ${found?.size} bytes`)
    },
  },
  {
    title: `the volume ${volume} is mounted where pods expect it`,
    run: async ({ node, signal, until }) => {
      await until(`/var/mnt/${volume}`, 60, async () => {
        const mounts = String(await collect(node.readFile('/proc/mounts', signal)))
        return mounts.includes(` /var/mnt/${volume} xfs rw`) ? true : undefined
      })
    },
  },
]

async function readyVolume({ node, signal, until }: Guest, seconds: number) {
  let why = 'there is no such volume'
  const ready = await until(`the volume ${volume}`, seconds, async () => {
    const found = await node.resources.find('VolumeStatuses.block.talos.dev', 'runtime', `u-${volume}`, signal)
    const spec = fieldsOf(found?.spec)
    why = `it is ${spec.phase}: ${spec.errorMessage ?? 'no reason given'}`
    return spec.phase === 'ready' ? spec : undefined
  }).catch((error: Error) => {
    throw new Error(`${why}\n${error.message}`)
  })
  return { parentLocation: String(ready.parentLocation) }
}
