import { ApiError } from '../api-error.js'

/** An error of the HTTP layer, sent as plain text. */
export class PlainError extends ApiError {}
