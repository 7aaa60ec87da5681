/** Where the config of a node stands. */
export function configPath(name: string): string {
  return `talos/generated/${name}.yaml`
}

/** Where its config stands as a medium. */
export function seedPath(name: string): string {
  return `talos/seeds/${name}.iso`
}

/** A path seen from `terraform/<environment>` or `ansible/<environment>`. */
export function fromTool(path: string): string {
  return `../../${path}`
}
