/** The lines of a text, wrapped at spaces; a word that is longer than the line has a line to itself. */
export function wrapWords(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, Math.max(1, width)))
}

function wrapParagraph(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= width || line === '') line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** A label with a text next to it; further lines of the text are aligned with its start. */
export function beside(label: string, labelWidth: number, text: string, width: number): string {
  const gap = ' '.repeat(labelWidth)
  return wrapWords(text, Math.max(20, width - labelWidth))
    .map((line, index) => `${index === 0 ? label : gap}${line}`.trimEnd())
    .join('\n')
}

/** The text on one line, truncated to the width with an ellipsis. */
export function cutTo(text: string, width: number, ellipsis = '…'): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= width ? line : `${line.slice(0, Math.max(1, width - ellipsis.length))}${ellipsis}`
}
