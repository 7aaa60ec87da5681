import type { Cure, Finding, FindingCode, Severity, Subject } from '../finding.js'

/** Something that a planner notices and leaves as it is. The code that sees it returns it. */
export interface Note {
  readonly code: FindingCode
  /** Names the section in `docs/findings.md`. */
  readonly name: string
  readonly severity: Severity
  /** The rule behind it, and what follows. */
  readonly detail: string
  note(title: string, noted: NoteCase): Finding
}

export interface NoteCase {
  readonly subject: Subject
  /** One sentence, or a command in words. */
  readonly cure?: string
  /** The command that solves it, if one does. */
  readonly command?: string
  readonly severity?: Severity
  readonly where?: string
}

export function defineNote(definition: Omit<Note, 'note'>): Note {
  const { code, severity, detail } = definition
  return {
    ...definition,
    note: (title, { subject, cure, command, ...given }) => ({
      code,
      severity,
      certainty: 'certain',
      subject,
      title,
      detail,
      ...cureOf(cure, command),
      ...given,
    }),
  }
}

function cureOf(text: string | undefined, command: string | undefined): { cure?: Cure } {
  if (text === undefined) return {}
  return { cure: { text, ...(command === undefined ? {} : { command }) } }
}

/** How a plan describes it, in one line. */
export function noteText({ title, cure }: Pick<Finding, 'title' | 'cure'>): string {
  return cure === undefined ? title : `${title} ${cure.text}`
}
