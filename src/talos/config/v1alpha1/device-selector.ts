import type { ConfigObject } from '../config-value.js'
import type { Link } from '../talos-machine.js'

/** Selects a link by its hardware; Talos compares addresses in lower case. */
export function deviceSelector(select: Link['select']): ConfigObject {
  return 'mac' in select ? { hardwareAddr: select.mac.toLowerCase() } : { busPath: select.busPath }
}

/** A member of a bond takes the bond's address, so only its permanent address identifies it. */
export function memberSelector(select: Link['select'], knowsPermanentAddress: boolean): ConfigObject {
  if (!('mac' in select) || !knowsPermanentAddress) return deviceSelector(select)
  return { permanentAddr: select.mac.toLowerCase() }
}
