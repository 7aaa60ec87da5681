import type { Call } from '../http/call.js'
import { splitList } from '../schema/formats.js'

const notOptions = new Set([
  'node',
  'vmid',
  'archive',
  'storage',
  'pool',
  'start',
  'ha-managed',
  'live-restore',
  'bwlimit',
  'import-working-storage',
  'unique',
  'force',
  'delete',
  'revert',
  'digest',
  'skiplock',
  'background_delay',
  'cdrom',
])

/** The config options among a call's parameters. `cdrom` is an old name of `ide2`. */
export function optionsOf({ parameters }: Call): Record<string, string> {
  const options: Record<string, string> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (name === 'cdrom') options.ide2 = `${String(value)},media=cdrom`
    else if (!notOptions.has(name)) options[name] = typeof value === 'string' ? value : value.join(',')
  }
  return options
}

/** Tags as an update stores them: lower case, once each, in order. */
export function normaliseTags(text: string, style: string | undefined): string {
  const isSensitive = /case-sensitive=1/.test(style ?? '')
  const tags = splitList(text).map((tag) => (isSensitive ? tag : tag.toLowerCase()))
  const unique = [...new Set(tags)]
  return /ordering=config/.test(style ?? '') ? unique.join(';') : unique.sort().join(';')
}

/** Options that keep a blank when emptied. */
export function storedText(key: string, value: string): string {
  return value === '' && (key === 'boot' || key === 'tags') ? ' ' : value
}
