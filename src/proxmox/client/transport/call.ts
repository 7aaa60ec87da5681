import type { Method } from './exchange.js'
import type { Form, Multipart } from './form.js'

export interface Call {
  readonly method: Method
  /** Below `/api2/json`. */
  readonly path: string
  /** Query of a GET or DELETE, body of a POST or PUT. */
  readonly form?: Form
  readonly upload?: Multipart
}

export interface CallReport {
  readonly method: string
  readonly path: string
  readonly status?: number
  readonly ms: number
  readonly mutating: boolean
}

export interface Envelope {
  readonly data: unknown
  /** The total number of items if the list is partial. */
  readonly total?: number
}
