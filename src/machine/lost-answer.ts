/** A node that goes down may not find the time to answer. */
export function isLostAnswer(thrown: unknown): boolean {
  const { grpcCode } = thrown as { grpcCode?: unknown }
  return grpcCode === 'Unavailable' || grpcCode === 'Canceled'
}
