import type { Destination } from '../secrets/bound-to.js'
import type { StateFile } from './state-folder.js'

/** What the operator confirmed last on this computer. */
export async function recallDestination(file: StateFile): Promise<Destination | undefined> {
  const { to, pin, via } = ((await file.read()) ?? {}) as Record<string, unknown>
  if (!Array.isArray(to) || typeof pin !== 'string' || typeof via !== 'string') return undefined
  return { to: to.map(String), pin, via }
}

export async function rememberDestination(file: StateFile, { to, pin, via }: Destination): Promise<void> {
  await file.write({ to, pin, via })
}
