import { flag, integer, list, text } from './codec.js'
import { defineOptions } from './define-options.js'

const agent = defineOptions({
  enabled: { key: 'enabled', codec: flag, isHead: true },
  trimClonedDisks: { key: 'fstrim_cloned_disks', codec: flag },
  type: { key: 'type', codec: text },
})
/** The guest agent's channel. */
export const parseAgent = agent.parse
export const writeAgent = agent.write

const hostPci = defineOptions({
  /** By address, which only root may use. */
  host: { key: 'host', codec: text, isHead: true },
  mapping: { key: 'mapping', codec: text },
  pcie: { key: 'pcie', codec: flag },
  primaryVga: { key: 'x-vga', codec: flag },
  romBar: { key: 'rombar', codec: flag },
  mediated: { key: 'mdev', codec: text },
})
/** A passed-through device. */
export const parseHostPci = hostPci.parse
export const writeHostPci = hostPci.write

const cpu = defineOptions({
  type: { key: 'cputype', codec: text, isHead: true },
  flags: { key: 'flags', codec: list },
  hidden: { key: 'hidden', codec: flag },
})
/** The CPU model that the guest sees. */
export const parseCpu = cpu.parse

const startup = defineOptions({
  order: { key: 'order', codec: integer, isHead: true },
  /** Seconds. */
  up: { key: 'up', codec: integer },
  /** Seconds. */
  down: { key: 'down', codec: integer },
})
/** When it starts and stops with its host. */
export const parseStartup = startup.parse
