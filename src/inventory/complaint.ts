import type { Path } from './path.js'

/** A problem at a place of the inventory, before file and line are known. */
export interface Complaint {
  readonly path: Path
  readonly message: string
  readonly fix: string
  /** Points at the key, not at its value. */
  readonly at?: 'key' | 'value'
  readonly severity?: 'error' | 'warning'
  /** Related places: if one of them is wrong itself, this problem would only confuse. */
  readonly related?: readonly Path[]
}
