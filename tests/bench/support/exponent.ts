/** How long something took with that many machines. */
export interface Point {
  readonly machines: number
  readonly ms: number
}

/** The exponent of the growth: the slope of the line through the points where both axes are logarithms. 1 is linear. */
export function exponentOf(points: readonly Point[]): number {
  const logs = points.map(({ machines, ms }) => ({ x: Math.log(machines), y: Math.log(ms) }))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(logs.map((log) => log.x)), mean(logs.map((log) => log.y))]
  const covariance = mean(logs.map((log) => (log.x - x) * (log.y - y)))
  return covariance / mean(logs.map((log) => (log.x - x) ** 2))
}
