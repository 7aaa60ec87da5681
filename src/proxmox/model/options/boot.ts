import { parsePropertyString } from '../property-string.js'

/** `order=scsi0;ide2`; empty for the single letters of old versions and for the single space of an empty option. */
export function parseBoot(source: string): string[] {
  const order = parsePropertyString(source.trim()).get('order') ?? ''
  return order.split(';').filter((device) => device !== '')
}

export function writeBoot(order: readonly string[]): string {
  return `order=${order.join(';')}`
}
