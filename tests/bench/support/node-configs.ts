import { renderConfig } from '../../../src/talos/config/render.js'
import { aBundle, aLink, aMachine } from '../../../src/talos/config/testdata/a-machine.js'

const bundle = aBundle()

const patches = [
  { source: 'patches/sysctls.yaml', line: 1, text: `machine:\n  env:\n    NODE: \${node.name}\n` },
  {
    source: 'patches/watchdog.yaml',
    line: 1,
    text: 'apiVersion: v1alpha1\nkind: WatchdogTimerConfig\ndevice: /dev/watchdog0\n',
  },
]

function nodeConfig(index: number, contract: string): string {
  const mac = `BC:24:11:00:${hex(index >> 8)}:${hex(index & 255)}`
  const address = `10.${index >> 8}.${index & 255}.11/8`
  const links = [aLink({ select: { mac }, addresses: [address] })]
  return renderConfig(aMachine({ name: `node-${index}`, hostname: `node-${index}`, contract, links, patches }), bundle)
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0').toUpperCase()
}

/** Configs of control planes, half in the oldest style and half in the newest, each with two patches. */
export function renderNodes(count: number): void {
  for (let index = 0; index < count; index++) nodeConfig(index, index % 2 === 0 ? 'v1.8' : 'v1.14')
}
