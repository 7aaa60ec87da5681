/** Without a terminal lines are not wrapped. */
const unlimited = 1000

/** Columns of a terminal. */
export function widthOf({ columns, isTTY }: { readonly columns?: number; readonly isTTY?: boolean }): number {
  return isTTY === true ? Math.max(20, columns ?? 80) : unlimited
}
