/** The value of an option, or the end of the program: a proof of nothing must not look like success. */
export function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  console.error(`--${option} needs a whole number, not "${text}".`)
  process.exit(2)
}
