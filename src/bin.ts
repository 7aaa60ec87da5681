#!/usr/bin/env node
import { setMaxListeners } from 'node:events'
import { main } from './commands/frame/main.js'
import { commands } from './commands/index.js'

const cancelled = 130
/** 128 plus the number of SIGPIPE, as for any program whose reader has exited: an interrupted run is not done. */
const brokenPipe = 141
const cancel = new AbortController()
// Every call in flight listens to it, and a large plan has many.
setMaxListeners(0, cancel.signal)
let interrupts = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupts++
    if (interrupts > 1) process.exit(130)
    cancel.abort(signal)
  })
}
// The reader has exited (`| head`): stops the run like Ctrl-C, so that it can clean up.
let isUnread = false
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isUnread = true
    cancel.abort('EPIPE')
  })
}

// No top-level `await`: a single executable is CommonJS, which does not support it. `main` turns every failure into a
// code.
void main(process.argv.slice(2), commands, {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: cancel.signal,
  program: 'ichor',
}).then((code) => {
  process.exitCode = isUnread && code === cancelled ? brokenPipe : code
})
