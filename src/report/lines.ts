import type { NewEvent } from '../events/event.js'
import { durationText } from './duration.js'
import { printable } from './printable.js'
import type { TextStyle } from './text-style.js'

/** Plain lines for CI, each with its step. Durations are real time: those of a lab are divided by its speed. */
export function createLines(write: (text: string) => void, style: TextStyle, speed = 1): (event: NewEvent) => void {
  const titles = new Map<string, string>()
  const notes = createNotes()
  const line = (label: string, text: string) => write(`${label} ${printable(text)}\n`)
  return (event) => {
    switch (event.type) {
      case 'run.started':
      case 'round.started':
        for (const { id, title } of event.steps) titles.set(id, title)
        return
      case 'step.started':
        if (event.attempt > 1)
          line(style.yellow('again'), `${titles.get(event.step) ?? event.step} (attempt ${event.attempt})`)
        return
      case 'step.noted':
        if (!notes.isNews(event)) return
        return line(style.dim('  ..'), `${titles.get(event.step) ?? event.step}: ${event.text}`)
      case 'step.waiting': {
        const title = titles.get(event.step)
        return title === undefined ? undefined : line(style.yellow('wait'), `${title}: waiting for ${event.for}`)
      }
      case 'step.failed':
        return line(style.red('fail'), `${titles.get(event.step) ?? event.step}: ${event.problem}`)
      case 'step.undone':
        return line(
          style.yellow('undo'),
          `${titles.get(event.step) ?? event.step}: rolled back, because ${event.reason}`,
        )
      case 'step.finished':
        return line(
          style.green('done'),
          `${titles.get(event.step) ?? event.step}${event.outcome === 'done' ? ` (${durationText(event.ms / speed)})` : ' (was done already)'}`,
        )
      case 'run.noted':
        return line(event.severity === 'warning' ? style.yellow('warn') : style.dim('note'), event.text)
      case 'run.finished':
        return
    }
  }
}

const sameAgainAfterMs = 60_000

/** A waiting step reports every few seconds; in a log once a minute is enough. */
function createNotes() {
  const last = new Map<string, { text: string; at: number }>()
  return {
    isNews: ({ step, text, at }: Extract<NewEvent, { type: 'step.noted' }>): boolean => {
      const shown = { text: text.replace(/\((\d+ min )?[\d.]+ s\b/, ''), at: Date.parse(at) }
      const before = last.get(step)
      if (before?.text === shown.text && shown.at - before.at < sameAgainAfterMs) return false
      last.set(step, shown)
      return true
    },
  }
}
