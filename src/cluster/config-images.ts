/** Kubernetes components whose version is in machine configs, in upgrade order. */
export const kubernetesParts = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const

export type KubernetesPart = (typeof kubernetesParts)[number]

/** The image of each component in a config; absent if the config does not name it. */
export type KubernetesImages = Readonly<Partial<Record<KubernetesPart, string>>>

/** `image: registry.k8s.io/kube-proxy:v1.36.3`, from any registry and in any document. */
const partLine =
  /^([ \t]*image:[ \t]*["']?)([^\s"'#]*\b(kube-apiserver|kube-controller-manager|kube-scheduler|kube-proxy|kubelet):[^\s"'#]+)/gm

/** `image: factory.talos.dev/nocloud-installer/<schematic>:v1.13.9`. */
const installerLine = /^([ \t]*image:[ \t]*["']?)([^\s"'#]*installer(?:-secureboot)?(?:\/[0-9a-f]{64})?:v[^\s"'#]+)/gm

export function kubernetesImages(config: string): KubernetesImages {
  return Object.fromEntries([...config.matchAll(partLine)].map(([, , image, part]) => [part, image]))
}

/** The same config with these images; images that it does not name are not added. */
export function withKubernetesImages(config: string, images: KubernetesImages): string {
  return config.replace(
    partLine,
    (_, key: string, image: string, part: KubernetesPart) => `${key}${images[part] ?? image}`,
  )
}

export function withInstaller(config: string, image: string): string {
  return config.replace(installerLine, (_, key: string) => `${key}${image}`)
}

/** `v1.36.3` of `registry.k8s.io/kube-proxy:v1.36.3@sha256:…`, without a suffix such as `-fat`. */
export function versionOfImage(image: string): string | undefined {
  return /:(v\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)/.exec(image)?.[1]
}
