const named: Readonly<Record<string, string>> = {
  '\u0003': 'ctrl-c',
  '\u0004': 'ctrl-d',
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u001b': 'escape',
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
}

/** The keys in what a terminal in raw mode sent; sequences that are not known are left out. */
export function keysIn(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends control characters.
  const pieces = text.match(/\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|[^\u001b]/gu) ?? []
  return pieces.flatMap((piece) => named[piece] ?? (/^[^\p{C}]$/u.test(piece) ? [piece] : []))
}
