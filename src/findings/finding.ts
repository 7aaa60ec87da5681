/** Stable: the first two digits are the subject, and a code is never used again. */
export type FindingCode = `ICH${string}`

/** `blocks`: something does not work, or the next change would harm. `warns`: it will not stay well. */
export type Severity = 'blocks' | 'warns' | 'info'

export interface Subject {
  readonly kind: 'cluster' | 'machine' | 'host' | 'storage' | 'member' | 'node' | 'addon' | 'object' | 'inventory'
  readonly name: string
}

/** Something that does not fit, as data: refusals, `status`, `health` and `doctor` report the same ones. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  readonly certainty: 'certain' | 'likely'
  readonly subject: Subject
  /** One sentence that stands alone. */
  readonly title: string
  /** What was seen, and what follows from it. */
  readonly detail: string
  /** The finding that explains this one; it is listed under that one. */
  readonly because?: Cause
  readonly cure?: Cure
  readonly where?: string
}

export interface Cause {
  readonly code: FindingCode
  readonly subject: string
}

/** What to do, in words, and as a command where there is one. */
export interface Cure {
  readonly text: string
  readonly command?: string
  /** `ichor doctor --fix` carries it out, although its command is another one. */
  readonly steps?: true
}

/** Something that could not be seen: it may be well or not. */
export interface Unknown {
  readonly what: string
  readonly why: string
}
