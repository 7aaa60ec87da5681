import type { WorkContext } from '../work/work-context.js'

/** Shows only the progress lines of a task log. */
export function taskProgress({ note }: Pick<WorkContext, 'note'>): (line: string) => void {
  let last = ''
  return (line) => {
    const share = /transferred (.+ of .+) \((\d+)/.exec(line)
    if (share === null || share[2] === last) return
    last = share[2] ?? ''
    note(`${last} % (${share[1]})`)
  }
}
