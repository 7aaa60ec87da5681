import { join } from 'node:path'
import { type Checks, startChecks } from '../real-clients/kubectl/check.js'
import type { Check } from './check.js'
import { configChecks } from './checks/config.js'
import { etcdChecks } from './checks/etcd.js'
import { identityChecks } from './checks/identity.js'
import { maintenanceChecks } from './checks/maintenance.js'
import { powerChecks } from './checks/power.js'
import { volumeChecks } from './checks/volumes.js'
import { startGuest } from './guest.js'
import { startRegistry } from './registry.js'
import { aSubject } from './subject.js'
import { upStory } from './up-story.js'
import type { NodeImage } from './virtual-machine.js'

interface Story {
  readonly title: string
  readonly delivery: 'cidata' | 'apply'
  readonly hasDeviceIds: boolean
  /** The first ones must pass for the others to make sense. */
  readonly first: readonly Check[]
  readonly checks: readonly Check[]
}

const answers: Check = {
  title: 'its secured API answers, with the CA of the cluster',
  run: async ({ node, signal, until }) => {
    await until('the secured API', 900, () => node.version(signal))
  },
}

const stories: readonly Story[] = [
  {
    title: 'from a seed disk, machine type 10.0 or later',
    delivery: 'cidata',
    hasDeviceIds: true,
    first: [answers],
    checks: [...identityChecks, ...volumeChecks, ...etcdChecks, ...configChecks, ...powerChecks],
  },
  {
    title: 'config over the maintenance API, machine type before 10.0',
    delivery: 'apply',
    hasDeviceIds: false,
    first: [...maintenanceChecks, answers],
    checks: [...identityChecks, ...volumeChecks],
  },
]

const upTitle = 'ichor up in a lab with a real node, from a seed disk'

const [, , folder = '', word = ''] = process.argv
const image: NodeImage = {
  kernel: join(folder, 'kernel'),
  initramfs: join(folder, 'initramfs.cpio'),
  busybox: join(folder, 'busybox'),
  etcd: join(folder, 'etcd'),
}
const checks = startChecks()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))
const registry = await startRegistry(image.etcd, process.env.TMPDIR ?? '', 'etcd')
try {
  for (const story of stories.filter(({ title }) => title.includes(word))) await tell(story, checks)
  if (upTitle.includes(word)) {
    console.log(`-- ${upTitle}`)
    await upStory(image, registry.port, checks)
  }
} finally {
  await registry.close()
}
process.exit(checks.finish())

async function tell({ title, delivery, hasDeviceIds, first, checks: rest }: Story, { attempt }: Checks): Promise<void> {
  console.log(`-- ${title}`)
  const subject = await aSubject({ delivery })
  const guest = await startGuest({ subject, image, hasDeviceIds, registry: registry.port })
  let isReached = true
  const timed = async (check: Check) => {
    const startedAt = performance.now()
    await attempt(check.title, async () => {
      if (!isReached) throw new Error('The node was not reached.')
      await check.run(guest).catch((error) => {
        if (first.includes(check)) isReached = false
        throw error
      })
    })
    console.log(`      ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  try {
    for (const check of [...first, ...rest]) await timed(check)
  } finally {
    await guest.close()
  }
}
