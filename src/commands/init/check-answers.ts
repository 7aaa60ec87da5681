import { contains, lastAddress, parseAddress, parseNetwork } from '../../cluster/address.js'

/** Why an answer cannot be used; `undefined` if it can. */
type Check = (answer: string) => string | undefined

export const nameProblem: Check = (answer) =>
  /^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/.test(answer)
    ? undefined
    : 'A name has small letters, digits and dashes, begins with a letter and has at most 32 characters.'

export const endpointProblem: Check = (answer) =>
  URL.canParse(answer) && new URL(answer).protocol === 'https:'
    ? undefined
    : 'The Proxmox API is an https address, such as https://10.0.10.2:8006.'

export const networkProblem: Check = (answer) =>
  parseNetwork(answer) === undefined || !answer.includes('/') ? 'A network looks like 10.0.10.0/24.' : undefined

export const workersProblem: Check = (answer) => (/^\d{1,3}$/.test(answer) ? undefined : 'Type a number from 0 to 999.')

/** An address of a machine in this network. */
export function addressProblem(answer: string, cidr: string): string | undefined {
  const network = parseNetwork(cidr)
  const address = parseAddress(answer)
  if (address === undefined) return `An address looks like ${cidr.replace(/\d+\/.*$/, '1')}.`
  if (network === undefined) return undefined
  if (!contains(network, answer)) return `${answer} is not in ${cidr}.`
  const isEdge = address.family === 4 && (address.value === network.base || address.value === lastAddress(network))
  return isEdge ? `${answer} is the first or the last address of ${cidr}: no machine can have it.` : undefined
}

/** The Kubernetes API cannot have the address of something else. */
export function apiProblem(answer: string, cidr: string, owners: ReadonlyMap<string, string>): string | undefined {
  const owner = owners.get(answer)
  return addressProblem(answer, cidr) ?? (owner === undefined ? undefined : `${answer} is the address of ${owner}.`)
}
