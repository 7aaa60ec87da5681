import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { fake } from '../../../tests/support/fake.js'
import type { Context } from '../frame/context.js'
import { administrator } from './administrator.js'

/** A terminal that echoes input until echo is switched off; the keys are pressed once there is a prompt. */
function aTerminal(keys: string) {
  const happened: string[] = []
  const setRawMode = (isRaw: boolean) => void happened.push(isRaw ? 'hides' : 'shows')
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  const write = (text: string) => {
    happened.push(text)
    if (text.startsWith('Password')) setImmediate(() => stdin.write(keys))
    return true
  }
  const env = { PROXMOX_VE_USERNAME: 'root@pam' }
  return {
    happened,
    context: fake<Context>({ env, stdin, stderr: { write }, signal: AbortSignal.timeout(5000) }),
  }
}

test('a password is not shown, however fast it is typed', async () => {
  const { happened, context } = aTerminal('secret\n')
  expect(await administrator(context)).toEqual({ user: 'root@pam', password: 'secret' })
  expect(happened).toEqual(['hides', 'Password of root@pam: ', 'shows', '\n'])
})

test('Ctrl-C at the password names the question', async () => {
  await expect(administrator(aTerminal('\u0003').context)).rejects.toMatchObject({
    exitCode: 130,
    where: 'Password of root@pam:',
  })
})
