export interface StatusCause {
  readonly reason?: string
  readonly message: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** A refusal with the message of the real API: becomes a `Status` object. */
export class StatusError extends Error {
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message)
    this.name = 'StatusError'
    this.code = code
    this.reason = reason
    this.details = details
  }

  toStatus(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

interface Named {
  readonly plural: string
  readonly group: string
}

function qualified({ plural, group }: Named): string {
  return group === '' ? plural : `${plural}.${group}`
}

export function notFound(resource: Named, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, {
    name,
    group: resource.group,
    kind: resource.plural,
  })
}

export function alreadyExists(resource: Named, name: string): StatusError {
  return new StatusError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, {
    name,
    group: resource.group,
    kind: resource.plural,
  })
}

export function staleVersion(resource: Named, name: string): StatusError {
  return new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    { name, group: resource.group, kind: resource.plural },
  )
}

export function invalid(kind: string, group: string, name: string, causes: readonly StatusCause[]): StatusError {
  const texts = causes.map((cause) => `${cause.field ?? '<nil>'}: ${cause.message}`)
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const qualifiedKind = group === '' ? kind : `${kind}.${group}`
  return new StatusError(422, 'Invalid', `${qualifiedKind} "${name}" is invalid: ${list}`, {
    name,
    group,
    kind,
    causes,
  })
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message)
}
