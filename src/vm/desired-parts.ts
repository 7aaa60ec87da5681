import { lookupBy } from '../cluster/lookup.js'
import type { Desired, DesiredGuest, DesiredImage, DesiredTemplate } from '../desired/desired.js'

const imageByKey = lookupBy(({ key }: DesiredImage) => key)
const templateByName = lookupBy(({ name }: DesiredTemplate) => name)
const guestByName = lookupBy(({ name }: DesiredGuest) => name)

/** The image with that key; neither planning nor execution requests one that is not wanted. */
export function imageOf({ images }: Desired, key: string): DesiredImage {
  return wanted(imageByKey(images, key), `image ${key}`)
}

export function templateOf({ templates }: Desired, name: string): DesiredTemplate {
  return wanted(templateByName(templates, name), `template ${name}`)
}

export function guestOf({ guestsToMake }: Desired, name: string): DesiredGuest {
  return wanted(guestByName(guestsToMake, name), `guest ${name}`)
}

/** `local:import/talos-….qcow2`. */
export function volidOf({ datastore, content, filename }: DesiredImage): string {
  return `${datastore}:${content}/${filename}`
}

function wanted<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Error(`no ${what} is wanted`)
  return found
}
