/** Control characters, and those that change the direction of text: external names and responses may contain them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text without terminal control sequences: each such character is shown as a dot. */
export function printable(text: string): string {
  return text.replace(unsafe, '·')
}
