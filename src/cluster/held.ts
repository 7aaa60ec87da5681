import type { Machine, RunningVersions } from './machine.js'

/** An adopted machine whose Talos stays as it is: the inventory has what it runs, or its config is not known. */
export function isTalosHeld({ adopted }: Pick<Machine, 'adopted'>): boolean {
  return adopted?.unread === true || adopted?.runs?.talos !== undefined
}

/** The same for the components of Kubernetes on it. */
export function isKubernetesHeld({ adopted }: Pick<Machine, 'adopted'>): boolean {
  return adopted?.unread === true || adopted?.runs?.kubernetes !== undefined
}

/** `Talos v1.13.8 and Kubernetes v1.36.2`. */
export function versionsInWords({ talos, schematic, kubernetes }: RunningVersions): string {
  const words = [
    ...(talos === undefined ? [] : [`Talos ${talos}`]),
    ...(schematic === undefined ? [] : [`schematic ${schematic.slice(0, 12)}`]),
    ...(kubernetes === undefined ? [] : [`Kubernetes ${kubernetes}`]),
  ]
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ')
}
