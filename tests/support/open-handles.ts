import { Session } from 'node:inspector'

/** What the process has open, by kind. */
export function openHandles(): Record<string, number> {
  const kinds = process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate' && kind !== 'Timeout')
  return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]))
}

/** MiB that are in use after everything else was thrown away. */
export function heapInUse(): number {
  const session = new Session()
  session.connect()
  session.post('HeapProfiler.collectGarbage')
  session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
