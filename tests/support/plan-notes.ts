import { noteText } from '../../src/findings/notes/define-note.js'
import type { Plan } from '../../src/plan/plan.js'

/** What a plan notes, as people read it. */
export function notesOf({ notes }: Pick<Plan, 'notes'>): string[] {
  return notes.map(noteText)
}
