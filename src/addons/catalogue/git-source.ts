import { type AddonOptions, type AddonSettings, textOption } from '../addon.js'

/** The options of both GitOps addons. */
export const gitOptions = {
  repository: { kind: 'text', help: 'Git repository.' },
  branch: { kind: 'text', default: 'main', help: 'Branch.' },
  path: { kind: 'text', default: '.', help: 'Folder in the repository.' },
  key: { kind: 'secret', sentTo: 'repository', help: 'Private key or token for the repository, by reference.' },
} as const satisfies AddonOptions

export interface GitSource {
  readonly repository: string
  readonly branch: string
  readonly path: string
}

/** `undefined` without a repository: then only the agent is installed. */
export function findGitSource(settings: AddonSettings): GitSource | undefined {
  const repository = textOption(settings, 'repository')
  if (repository === undefined) return undefined
  return { repository, branch: textOption(settings, 'branch') ?? 'main', path: textOption(settings, 'path') ?? '.' }
}

export function isSsh(repository: string): boolean {
  return repository.startsWith('ssh://') || /^[^/]+@[^/]+:/.test(repository)
}
