/** Everything a cluster is built from, by name, with the SHA-256 of each in hex. */
export interface PinnedDigests {
  /** Boot images of any factory: `<schematic>/v1.13.9/nocloud-amd64.qcow2`. */
  readonly images: Readonly<Record<string, string>>
  /** Manifests of container images from any registry: `nocloud-installer/<schematic>:v1.13.9`. */
  readonly installers: Readonly<Record<string, string>>
  /** Charts: `https://traefik.github.io/charts/traefik:41.3.0`. The archive, or its manifest in a registry. */
  readonly charts: Readonly<Record<string, string>>
}

/** `<schematic>/v1.13.9/nocloud-amd64.qcow2` of a factory URL. */
export function imageName(url: string): string {
  return url.replace(/^.*\/image\//, '')
}
