import type { ConfigObject } from '../config-value.js'
import type { Link } from '../talos-machine.js'
import { newDocument } from './new-document.js'

/** An alias for the link with this hardware, whatever the image calls it (`eth0`, `ens18`). */
export function linkAlias(name: string, select: Link['select']): ConfigObject {
  const match =
    'mac' in select
      ? `mac(link.permanent_addr) == "${select.mac.toLowerCase()}"`
      : `link.bus_path == ${JSON.stringify(select.busPath)}`
  return newDocument('LinkAliasConfig', { name, selector: { match } })
}
