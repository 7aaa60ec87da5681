/** `812 B`, `4.2 MiB`, `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`
}

/** `40 s`, `12 min`, `5 h`, `3 d`. */
export function ageText(seconds: number): string {
  if (seconds < 100) return `${Math.max(0, Math.round(seconds))} s`
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
