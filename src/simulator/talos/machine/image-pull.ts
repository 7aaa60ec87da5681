import { isMapping } from '../config/documents.js'
import { mappingsOf, readerOf, textOr, textsOf } from '../config/read-values.js'
import type { Boot } from './boot.js'
import { durations } from './durations.js'
import type { TalosMachine } from './machine.js'

/**
 * Why no registry serves that image to this machine; `undefined` if one does. A NIC on a bridge with a port reaches
 * every registry. On an isolated bridge only a registry on that bridge is reachable, and only if the config names it as
 * a mirror.
 */
export function pullProblem(machine: TalosMachine, image: string): string | undefined {
  const cards = machine.hardware.nics.filter(({ linkDown }) => !linkDown)
  if (cards.some(({ isIsolated = false }) => !isIsolated)) return undefined
  const endpoints = mirrorsFor(machine, registryOf(image))
  const isServed = machine.fleet.registries.some(
    ({ bridge, address }) => endpoints.includes(address) && cards.some((card) => card.bridge === bridge),
  )
  if (isServed) return undefined
  const [asked = registryOf(image)] = endpoints
  return `failed to pull image "${image}": failed to do request: dial tcp ${asked}: connect: no route to host`
}

/** Repositories of the registries that every lab serves, with their releases only; other registries serve anything. */
const repositories: Readonly<Record<string, RegExp>> = {
  'registry.k8s.io': /^(kube-(apiserver|controller-manager|scheduler|proxy)|pause|etcd|coredns\/coredns)$/,
  'ghcr.io': /^siderolabs\/(kubelet|installer|installer-base|imager|talos|talosctl|flannel|install-cni)$/,
}

/** Whether the image does not exist at all. */
export function isAbsent(reference: string): boolean {
  const [name = '', digest] = reference.split('@')
  const registry = registryOf(name)
  const [repository = '', tag = 'latest'] = name.slice(registry.length + 1).split(':')
  const known = repositories[registry]
  if (known === undefined || (registry === 'ghcr.io' && !repository.startsWith('siderolabs/'))) return false
  return !known.test(repository) || (digest === undefined && !/^v?\d+\.\d+/.test(tag))
}

/** A service stays in preparation until its image is there. */
export async function awaitImage(boot: Boot, service: 'etcd' | 'kubelet', image: string): Promise<void> {
  const { machine } = boot
  for (let tries = 0; ; tries++) {
    const problem = pullProblem(machine, image)
    if (problem === undefined) return
    if (tries === 0) {
      machine.services.set(service, 'Preparing', 'Running pre state')
      machine.services.log(service).write(problem)
    }
    await boot.wait(durations.retry)
  }
}

/** Hosts and ports that the config uses instead of a registry. */
function mirrorsFor({ config }: TalosMachine, registry: string): string[] {
  if (config === undefined) return []
  const reader = readerOf(config)
  const fresh = reader.documents('RegistryMirrorConfig').map(({ name = '', body }) => ({
    name,
    urls: mappingsOf(body.endpoints).map(({ url }) => textOr(url, '')),
  }))
  const old = reader.v1('machine.registries.mirrors')
  const named = Object.entries(isMapping(old) ? old : {}).map(([name, mirror]) => ({
    name,
    urls: textsOf(isMapping(mirror) ? mirror.endpoints : []),
  }))
  return [...fresh, ...named]
    .filter(({ name }) => name === registry || name === '*')
    .flatMap(({ urls }) => urls.map((url) => new URL(url).host))
}

function registryOf(image: string): string {
  const [first = ''] = image.split('/')
  return /[.:]/.test(first) ? first : 'docker.io'
}
