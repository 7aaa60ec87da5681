import { spawn } from 'node:child_process'

/** However this process ends, QEMU ends with it. */
export function launchQemu(args: readonly string[]) {
  const qemu = spawn('setpriv', ['--pdeathsig', 'KILL', 'qemu-system-x86_64', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  qemu.stderr.on('data', (piece: Buffer) => {
    words += piece
  })
  let end: string | undefined
  const ended = new Promise<void>((resolve) => {
    const finish = (why: string) => {
      end = `QEMU is not running: ${why}. ${words.trim()}`
      resolve()
    }
    qemu.once('error', (error) => finish(error.message))
    qemu.once('exit', (code, signal) => finish(`it ended with ${code ?? signal}`))
  })
  return {
    ended,
    /** `undefined` while it runs. */
    end: () => end,
    kill: async () => {
      qemu.kill('SIGKILL')
      await ended
    },
  }
}
