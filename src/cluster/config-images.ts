/** Parts of Kubernetes whose version stands in machine configs, in the order in which they change it. */
export const kubernetesParts = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const

export type KubernetesPart = (typeof kubernetesParts)[number]

/** The image of each part, as a config names it; absent where it names none. */
export type KubernetesImages = Readonly<Partial<Record<KubernetesPart, string>>>

/** `image: registry.k8s.io/kube-proxy:v1.36.3`, whatever registry it comes from and whichever document it is in. */
const partLine =
  /^([ \t]*image:[ \t]*["']?)([^\s"'#]*\b(kube-apiserver|kube-controller-manager|kube-scheduler|kube-proxy|kubelet):[^\s"'#]+)/gm

/** `image: factory.talos.dev/nocloud-installer/<schematic>:v1.13.9`. */
const installerLine = /^([ \t]*image:[ \t]*["']?)([^\s"'#]*installer(?:-secureboot)?(?:\/[0-9a-f]{64})?:v[^\s"'#]+)/gm

export function kubernetesImages(config: string): KubernetesImages {
  return Object.fromEntries([...config.matchAll(partLine)].map(([, , image, part]) => [part, image]))
}

/** The same config with these images; what it does not name stays unnamed. */
export function withKubernetesImages(config: string, images: KubernetesImages): string {
  return config.replace(
    partLine,
    (_, key: string, image: string, part: KubernetesPart) => `${key}${images[part] ?? image}`,
  )
}

export function withInstaller(config: string, image: string): string {
  return config.replace(installerLine, (_, key: string) => `${key}${image}`)
}

/** `v1.36.3` of `registry.k8s.io/kube-proxy:v1.36.3@sha256:…`; a suffix such as `-fat` is no part of it. */
export function versionOfImage(image: string): string | undefined {
  return /:(v\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)/.exec(image)?.[1]
}
