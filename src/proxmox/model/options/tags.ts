/** Proxmox accepts commas, semicolons and spaces, and returns semicolons; an empty option reads as one space. */
export function parseTags(source: string): string[] {
  return source.split(/[\s,;]+/).filter((tag) => tag !== '')
}

/** Lower-cased, sorted and without duplicates, as Proxmox stores them: written and read tags compare equal. */
export function writeTags(tags: Iterable<string>): string {
  return [...new Set([...tags].map((tag) => tag.toLowerCase()))].sort().join(';')
}
