import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { writeDurably } from '../../durable-file.js'
import { makeTemporaryFolder } from '../../temporary-folder.js'

/**
 * Other users can read the arguments of a process: the browser gets a file that only this user can read, and which
 * leads to the link. Where it cannot open that, the link in the terminal is left.
 */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<{ remove(): Promise<void> }> {
  const folder = await makeTemporaryFolder('ui')
  const file = join(folder.path, 'ichor.html')
  await writeDurably(file, `<!doctype html><title>ichor</title><meta http-equiv="refresh" content="0; url=${url}">`)
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [file], {
    stdio: 'ignore',
    detached: true,
    env,
  })
  child.on('error', () => {})
  child.unref()
  return folder
}
