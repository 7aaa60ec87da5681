import { type Check, collect, expect } from '../check.js'

const sysctl = 'net.ipv4.ip_default_ttl'
const path = '/proc/sys/net/ipv4/ip_default_ttl'

/** A change of the config on a node that runs. */
export const configChecks: readonly Check[] = [
  {
    title: 'a config under test is active and not kept, and is rolled back when its time is up',
    run: async ({ node, subject, signal, until }) => {
      const read = async () => String(await collect(node.readFile(path, signal))).trim()
      const before = await read()
      const tried = subject.config.replace(/^machine:\n/m, `machine:\n  sysctls:\n    ${sysctl}: "77"\n`)
      expect(tried !== subject.config && before !== '77', 'the test changes nothing')
      await node.applyConfiguration(tried, { mode: 'try', tryTimeoutSeconds: 20 }, signal)
      await until('the sysctl under test', 60, async () => ((await read()) === '77' ? true : undefined))
      expect(!(await node.resources.persistedConfig(signal)).includes(sysctl), 'the config under test is kept')
      await until('the end of the test', 90, async () =>
        (await node.resources.machineConfig(signal)).includes(sysctl) ? undefined : true,
      )
    },
  },
  {
    title: 'the log of a service and that of the kernel can be read',
    run: async ({ node, signal }) => {
      const log = await collect(
        node.logs({ service: 'apid', namespace: 'system', follow: false, tailLines: 20 }, signal),
      )
      const kernel = await collect(node.dmesg({ follow: false, tail: false }, signal))
      expect(log.length > 0 && kernel.includes('[talos]'), `${log.length} and ${kernel.length} bytes`)
    },
  },
]
