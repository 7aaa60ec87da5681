import { expect, test } from 'vitest'
import { createSimClock } from '../../core/clock.js'
import { Discovery } from './discovery.js'

const entry = (nodeId: string, hostname: string) => ({
  nodeId,
  hostname,
  addresses: ['10.5.0.2'],
  role: 'worker' as const,
  operatingSystem: 'Talos (v1.13.9)',
  apiPort: 6443,
})

test('a node that was wiped and came back is one member, under its new id', () => {
  const clock = createSimClock({ speed: 1 })
  const discovery = new Discovery(clock)
  discovery.publish('c', entry('new', 'wk-1'), () => true)
  discovery.publish('c', entry('other', 'wk-2'), () => true)
  discovery.publish('c', entry('old', 'wk-1'), () => false)
  // The entry of the lost node was published last and is not listed any more; that of the running one is.
  clock.now = () => Date.now() + 60_000
  const members = discovery.members('c').map(({ nodeId }) => nodeId)
  expect(members.sort()).toEqual(['new', 'other'])
  clock.stop()
})
