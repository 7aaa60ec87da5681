const width = 72
const height = 18

/** Shares of the last looks, oldest first. */
export function Sparkline({ shares, label }: { readonly shares: readonly number[]; readonly label: string }) {
  if (shares.length < 3) return null
  const step = width / (shares.length - 1)
  const points = shares.map((share, index) => `${(index * step).toFixed(1)},${((1 - share) * height).toFixed(1)}`)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  )
}
