import { forbidden } from '../api-error.js'
import { type Call, may } from '../http/call.js'
import { splitList } from '../schema/formats.js'

/** A caller's rights to tags, by the datacenter's `user-tag-access` and `registered-tags`. */
interface TagRights {
  readonly allowed: ReadonlySet<string>
  readonly registered: ReadonlySet<string>
  /** Whether new tags may be used. */
  readonly isFree: boolean
}

/** The tags of `GET /cluster/options`. */
export function allowedTags(call: Call): string[] {
  return [...tagRights(call).allowed].sort()
}

/** Refuses if the caller may not add or remove a tag. Callers that may modify the datacenter may set any tag. */
export function refuseForbiddenTags(call: Call, before: string, after: string): void {
  if (isPrivileged(call)) return
  const [old, fresh] = [new Set(splitList(before)), new Set(splitList(after))]
  const { allowed, registered, isFree } = tagRights(call)
  for (const tag of new Set([...old, ...fresh])) {
    if (old.has(tag) === fresh.has(tag)) continue
    if (registered.has(tag) || !(isFree || allowed.has(tag)))
      throw forbidden(`/, Sys.Modify for modifying tag '${tag}'`)
  }
}

function isPrivileged(call: Call): boolean {
  return may(call, '/', ['Sys.Modify'])
}

function tagRights(call: Call): TagRights {
  const { options } = call.datacenter.state
  const privileged = isPrivileged(call)
  const access = parseTagAccess(options['user-tag-access'])
  const registered = new Set(splitList(options['registered-tags'] ?? ''))
  const allowed = new Set(access.allow !== 'none' || privileged ? access.list : [])
  if (access.allow === 'free' || access.allow === 'existing' || privileged)
    for (const tag of visibleTags(call, privileged)) allowed.add(tag)
  for (const tag of registered) {
    if (privileged) allowed.add(tag)
    else allowed.delete(tag)
  }
  return { allowed, registered, isFree: access.allow === 'free' }
}

function visibleTags(call: Call, all: boolean): string[] {
  return Object.values(call.datacenter.state.vms)
    .filter((vm) => all || may(call, `/vms/${vm.vmid}`, ['VM.Audit']))
    .flatMap((vm) => splitList(vm.config.tags ?? ''))
}

function parseTagAccess(text = ''): { allow: string; list: string[] } {
  return {
    allow: /(?:^|,)user-allow=([^,]+)/.exec(text)?.[1] ?? 'free',
    list: splitList(/(?:^|,)user-allow-list=([^,]+)/.exec(text)?.[1] ?? ''),
  }
}
