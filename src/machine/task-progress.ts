import type { WorkContext } from './work-context.js'

/** Of all that a worker logs, only how far it is. */
export function taskProgress({ note }: Pick<WorkContext, 'note'>): (line: string) => void {
  let last = ''
  return (line) => {
    const share = /transferred (.+ of .+) \((\d+)/.exec(line)
    if (share === null || share[2] === last) return
    last = share[2] ?? ''
    note(`${last} % (${share[1]})`)
  }
}
