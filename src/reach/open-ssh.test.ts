import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOpenSshDialer } from './open-ssh.js'

const path = process.env.PATH
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-open-ssh-'))
  process.env.PATH = `${folder}:${path}`
})
afterEach(async () => {
  process.env.PATH = path
  await rm(folder, { recursive: true, force: true })
})

/** In place of the program of this computer. */
async function anSsh(script: string): Promise<void> {
  await writeFile(join(folder, 'ssh'), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'ssh'), 0o755)
}

/** Why the connection ended, and what nobody handled. */
async function ending(): Promise<{ reason: string; unhandled: unknown[] }> {
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)
  process.on('uncaughtException', note).on('unhandledRejection', note)
  const dialer = createOpenSshDialer({ host: 'jump.example', user: 'root' })
  const reason = await dialer
    .dial({ host: '10.0.0.1', port: 8006 }, AbortSignal.timeout(5000))
    .then(
      (socket) =>
        new Promise<string>((resolve) => {
          socket.on('error', ({ message }) => resolve(message)).on('end', () => resolve('end'))
          socket.resume().write('hello')
        }),
    )
    .catch(({ message }: Error) => message)
  await dialer.close()
  await new Promise(setImmediate)
  process.off('uncaughtException', note).off('unhandledRejection', note)
  return { reason, unhandled }
}

test.each([
  ['exits at once', 'exit 255', 'no output'],
  ['says why and exits', 'echo "Permission denied (publickey)." >&2; exit 255', 'Permission denied (publickey).'],
  ['closes its input first', 'exec 0<&-; exec 1>&-; echo no >&2; exit 1', 'no'],
  ['is killed', 'kill -9 $$', 'no output'],
])('an ssh that %s is an error of the connection, and of nothing else', async (_, script, words) => {
  await anSsh(script)
  for (let attempt = 0; attempt < 5; attempt++) {
    const { reason, unhandled } = await ending()
    expect(unhandled).toEqual([])
    expect(reason).toContain(words)
  }
})

test('an ssh that is not there is named', async () => {
  process.env.PATH = folder
  const { reason, unhandled } = await ending()
  expect(unhandled).toEqual([])
  expect(reason).toContain('could not be started')
})
