import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { ConnectOptions } from '../../connect.js'
import { UsageError } from '../../errors.js'
import { answered, askText } from '../ask.js'
import type { Context } from '../frame/context.js'

type Login = NonNullable<ConnectOptions['login']>

const without = 'Without a terminal, set PROXMOX_VE_USERNAME (root@pam) and PROXMOX_VE_PASSWORD.'

/** User and password of an administrator, from the environment or a prompt. Never stored. */
export async function administrator(context: Context): Promise<Login> {
  const { PROXMOX_VE_USERNAME: user, PROXMOX_VE_PASSWORD: password } = context.env
  if (user && password) return { user, password }
  const asked = user || (await askText('Administrator of Proxmox, with realm [root@pam]: ', context, without))
  const name = asked === '' ? 'root@pam' : asked
  return { user: name, password: password || (await askHidden(`Password of ${name}: `, context)) }
}

/** Input is not echoed. */
async function askHidden(question: string, { stdin, stderr, signal }: Context): Promise<string> {
  if (stdin.isTTY !== true) {
    throw new UsageError('A password is required, but there is no terminal to prompt on.', {
      where: 'ichor access',
      fix: without,
    })
  }
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Before the prompt: until then the terminal echoes what is typed or pasted.
  const reader = createInterface({ input: stdin, output: silent, terminal: true })
  stderr.write(question)
  const typed = await answered(reader, question, { stderr, signal })
  stderr.write('\n')
  return typed
}
