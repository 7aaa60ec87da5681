import { readFile } from 'node:fs/promises'
import { writeDurably } from '../../durable-file.js'
import { UsageError } from '../../errors.js'
import { parseToken } from '../../proxmox/model/api-token.js'
import { isTokenSecret } from '../../trust/proxmox-token.js'

/** The inventory may name any file of this computer: one that holds something else is not overwritten. */
export async function refuseOtherFile(path: string, where: string): Promise<void> {
  const text = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (text === '' || isTokenSecret(parseToken(text, '')?.secret ?? '')) return
  throw new UsageError(`The file for the API token holds something else: ${path}.`, {
    where,
    fix: 'Name a file of its own as proxmox.token_secret.',
  })
}

export async function writeTokenFile(path: string, text: string): Promise<void> {
  await writeDurably(path, `${text}\n`, { followsLink: true })
}
