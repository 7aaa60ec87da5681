import type { Path } from './path.js'

/** Something wrong at a place of the inventory, before file and line are known. */
export interface Complaint {
  readonly path: Path
  readonly message: string
  readonly fix: string
  /** Point at the key rather than at its value. */
  readonly at?: 'key' | 'value'
  readonly severity?: 'error' | 'warning'
  /** Further places that it depends on: when one of them is wrong itself, this complaint would only confuse. */
  readonly related?: readonly Path[]
}
