import { ApiError } from '../api-error.js'

/** An error of the HTTP layer, which answers in plain text. */
export class PlainError extends ApiError {}
