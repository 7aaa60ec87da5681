/** `4 % CPU, 17 % memory`. */
export function loadText(load: {
  readonly cpu_ratio: number
  readonly memory_used: number
  readonly memory_total: number
}): string {
  const memory = load.memory_total > 0 ? load.memory_used / load.memory_total : 0
  return `${percent(load.cpu_ratio)} CPU, ${percent(memory)} memory`
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`
}
