/** The path of a node's config. */
export function configPath(name: string): string {
  return `talos/generated/${name}.yaml`
}

/** The path of its config as a boot medium. */
export function seedPath(name: string): string {
  return `talos/seeds/${name}.iso`
}

/** A path relative to `terraform/<environment>` or `ansible/<environment>`. */
export function fromTool(path: string): string {
  return `../../${path}`
}
