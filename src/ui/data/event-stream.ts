import type { RunEvent } from '../../events/event.js'

/** Server-sent events of a response, as many at a time as came together. */
export async function* eventsOfStream({ body }: Response): AsyncGenerator<RunEvent[]> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    const events = blocks.flatMap((block) => {
      const data = block.split('\n').find((line) => line.startsWith('data: '))
      return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as RunEvent]
    })
    if (events.length > 0) yield events
  }
}
