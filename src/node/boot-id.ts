import type { TalosNode } from '../talos/api/port.js'

/** Changes with every boot. */
export async function readBootId(node: TalosNode, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of node.readFile('/proc/sys/kernel/random/boot_id', signal)) parts.push(part)
  return Buffer.concat(parts).toString().trim()
}
