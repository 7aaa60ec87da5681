import { setTimeout as wait } from 'node:timers/promises'
import { defineCommand } from '../frame/define-command.js'
import { jsonArg } from '../shared-args.js'
import { nameArg } from './named.js'
import { getLab } from './running.js'

const lookEveryMs = 300

export default defineCommand({
  description: 'Shows every request that the simulated Proxmox served.',
  args: { ...jsonArg, ...nameArg, follow: { type: 'flag', short: 'f', help: 'keep printing new requests' } },
  async run({ json, follow, name }, context) {
    const { control } = await getLab(context, name)
    let seen = 0
    do {
      const requests = await control.log(seen)
      seen += requests.length
      for (const request of requests) {
        const { method, path, status, ms, user } = request
        context.stdout.write(
          json
            ? `${JSON.stringify(request)}\n`
            : `${status} ${method.padEnd(6)} ${path} (${Math.round(ms)} ms, ${user})\n`,
        )
      }
      if (follow) await wait(lookEveryMs, undefined, { signal: context.signal }).catch(() => undefined)
    } while (follow && !context.signal.aborted)
    return 0
  },
})
