/** An error response: the message becomes the reason phrase and the body, as in the real API. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Readonly<Record<string, string>> | undefined
  /** Some responses have their text in the status line only. */
  readonly emptyBody: boolean

  constructor(status: number, message: string, options: { errors?: Record<string, string>; emptyBody?: boolean } = {}) {
    super(message)
    this.status = status
    this.errors = options.errors
    this.emptyBody = options.emptyBody ?? false
  }
}

/** The response to a handler that dies in the original: 500, with the text and a newline. */
export function died(message: string): ApiError {
  return new ApiError(500, `${message}\n`)
}

export function badParameters(errors: Record<string, string>): ApiError {
  return new ApiError(400, 'Parameter verification failed.\n', { errors })
}

export function forbidden(what: string): ApiError {
  return new ApiError(403, what === '' ? 'Permission check failed\n' : `Permission check failed (${what})\n`)
}

/** The text of a failed task: without the newline of messages over HTTP. */
export function taskText(error: unknown): string {
  if (error instanceof ApiError) {
    const text = error.message.replace(/\n$/, '')
    return error.status === 403 ? `403 ${text}` : text
  }
  return error instanceof Error ? error.message : String(error)
}
