/** A node that shuts down may not send its response. */
export function isLostAnswer(thrown: unknown): boolean {
  const { grpcCode } = thrown as { grpcCode?: unknown }
  return grpcCode === 'Unavailable' || grpcCode === 'Canceled'
}
