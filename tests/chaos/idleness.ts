const everyMs = 50
let ticks = 0
setInterval(() => ticks++, everyMs).unref()

/**
 * Whether this process had time for whoever needed it, from now until the result is called: a tick that a busy computer
 * misses does not come later. A lease that dies on such a computer says nothing about its holder.
 */
export function watchIdleness(): () => boolean {
  const before = ticks
  const began = performance.now()
  return () => (ticks - before) * everyMs > (performance.now() - began) / 2
}
