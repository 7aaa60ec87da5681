/** Where the config of a node stands. */
export function configPath(name: string): string {
  return `talos/generated/${name}.yaml`
}

/** The same, seen from `terraform/<environment>` or `ansible/<environment>`. */
export function configPathFromTool(name: string): string {
  return `../../${configPath(name)}`
}
