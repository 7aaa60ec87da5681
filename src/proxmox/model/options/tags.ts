/** Proxmox takes commas, semicolons and spaces, and gives semicolons; an emptied option reads as one space. */
export function parseTags(source: string): string[] {
  return source.split(/[\s,;]+/).filter((tag) => tag !== '')
}

/** Lower-cased, sorted and without repetition, as Proxmox stores them: what was written compares equal to what is read. */
export function writeTags(tags: Iterable<string>): string {
  return [...new Set([...tags].map((tag) => tag.toLowerCase()))].sort().join(';')
}
