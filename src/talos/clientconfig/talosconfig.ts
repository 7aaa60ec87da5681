import { type Document, isMap } from 'yaml'
import { goYaml } from '../config/go-yaml.js'
import type { ClientCertificate } from './client-certificate.js'
import { formatConfig, freeName, getMap, openConfig, refuseOtherFiles, toBase64 } from './config-document.js'

/** One context of a talosconfig: endpoints and credentials of one cluster. */
export interface TalosContext {
  /** The name of the cluster, as `talosctl gen config` names it. */
  readonly name: string
  readonly endpoints: readonly string[]
  readonly nodes?: readonly string[]
  readonly certificate: ClientCertificate
}

/** A talosconfig with this one context. */
export function talosconfig(context: TalosContext): string {
  return goYaml({ context: context.name, contexts: { [context.name]: contextFields(context) } })
}

/**
 * The user's talosconfig with this context added or renewed. Other contexts and all comments stay; the current context
 * changes only if there was none, or on request.
 */
export function mergeTalosconfig(
  existing: string | undefined,
  context: TalosContext,
  options: { where: string; makeCurrent?: boolean },
): string {
  const document = openConfig(existing, options.where)
  refuseOtherFiles(document, ['context', 'contexts'], options.where)
  if (options.makeCurrent === true || !document.get('context')) setFirst(document, 'context', context.name)
  const contexts = getMap(document, ['contexts'], options.where)
  const known = contexts.get(context.name)
  const fields = contextFields(context)
  if (isMap(known)) for (const [name, value] of Object.entries(fields)) known.set(name, document.createNode(value))
  else contexts.set(context.name, document.createNode(fields))
  return formatConfig(document, existing)
}

/**
 * The context name for a cluster in a user's file: its own name if it is free or already has this CA, otherwise with
 * `-1`, `-2` and so on, as talosctl does.
 */
export function contextNameFor(existing: string | undefined, context: TalosContext, where: string): string {
  const document = openConfig(existing, where)
  const ca = toBase64(context.certificate.ca)
  return freeName(context.name, (name) => {
    const known = document.getIn(['contexts', name])
    return known === undefined || document.getIn(['contexts', name, 'ca']) === ca
  })
}

/** The client certificate of a context as PEM, to check its expiry; `undefined` if there is none. */
export function findContextCertificate(text: string, name: string, where: string): string | undefined {
  const crt = openConfig(text, where).getIn(['contexts', name, 'crt'])
  return typeof crt === 'string' ? Buffer.from(crt, 'base64').toString() : undefined
}

function contextFields({ endpoints, nodes, certificate }: TalosContext): Record<string, unknown> {
  return {
    endpoints: [...endpoints],
    ...(nodes === undefined ? {} : { nodes: [...nodes] }),
    ca: toBase64(certificate.ca),
    crt: toBase64(certificate.crt),
    key: toBase64(certificate.key),
  }
}

/** In a new file `context` comes first, as Talos writes it. */
function setFirst(document: Document, name: string, value: string): void {
  if (document.has(name) || !isMap(document.contents)) document.set(name, value)
  else document.contents.items.unshift(document.createPair(name, value))
}
