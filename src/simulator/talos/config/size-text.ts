const units: Readonly<Record<string, number>> = Object.fromEntries(
  ['', 'k', 'm', 'g', 't', 'p'].flatMap((letter, index) => [
    [letter, 1000 ** index],
    [`${letter}b`, 1000 ** index],
    [`${letter}ib`, 1024 ** index],
  ]),
)

/** Bytes of `10GiB` or `500MB`; `undefined` for a share such as `50%`, which this lab does not compute. */
export function sizeOf(value: unknown): number | undefined {
  const [, digits, unit = ''] = /^([\d.]+)\s*([a-z]*)$/i.exec(String(value ?? '')) ?? []
  const factor = units[unit.toLowerCase()]
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}
