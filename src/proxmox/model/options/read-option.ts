import { parseDisk } from './disk.js'
import { parseAgent, parseCpu, parseHostPci, parseStartup } from './hardware.js'
import { parseNet } from './net.js'
import { parseSmbios } from './smbios.js'

type Values = Readonly<Record<string, unknown>>

const kinds: readonly (readonly [RegExp, (text: string) => Values])[] = [
  [/^net\d+$/, parseNet],
  [/^hostpci\d+$/, parseHostPci],
  [/^agent$/, parseAgent],
  [/^cpu$/, parseCpu],
  [/^startup$/, parseStartup],
  [/^smbios1$/, parseSmbios],
  [/^(?:(?:ide|sata|scsi|virtio|unused)\d+|efidisk0|tpmstate0)$/, parseDisk],
]

/** The values of an option, in any order and spelling; an option without parts is a single value. */
export function readOption(key: string, text: string): Values {
  const kind = kinds.find(([pattern]) => pattern.test(key))
  return kind === undefined ? { value: text } : kind[1](text)
}
