import { isOn } from '../property-string.js'
import { formatSize, parseSize } from '../size.js'

/** Reads and writes one value of an option. Text that it cannot parse reads as `undefined` and is kept. */
export interface Codec<T> {
  read(text: string): T | undefined
  write(value: T): string
}

export const text: Codec<string> = { read: (value) => value, write: (value) => value }

/** Proxmox reads several spellings and prints 1 and 0. */
export const flag: Codec<boolean> = {
  read: (value) => (/^(0|1|on|off|yes|no|true|false)$/i.test(value) ? isOn(value) : undefined),
  write: (value) => (value ? '1' : '0'),
}

/** `on` and `ignore`, as `discard` has it. */
export const discard: Codec<boolean> = {
  read: (value) => (value === 'on' ? true : value === 'ignore' ? false : undefined),
  write: (value) => (value ? 'on' : 'ignore'),
}

export const integer: Codec<number> = {
  read: (value) => (/^\d+$/.test(value) ? Number(value) : undefined),
  write: String,
}

/** Bytes. */
export const size: Codec<number> = { read: parseSize, write: formatSize }

/** Separated by semicolons: commas separate options. */
export const list: Codec<readonly string[]> = {
  read: (value) => value.split(';').filter((item) => item !== ''),
  write: (value) => value.join(';'),
}
