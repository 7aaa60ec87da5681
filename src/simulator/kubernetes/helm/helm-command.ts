/** `helm upgrade --install cilium cilium --repo …`, parsed. */
export interface HelmCommand {
  readonly verb: 'upgrade' | 'uninstall'
  readonly release: string
  /** Name of the chart without its repository. */
  readonly chart: string
  readonly repository: string
  readonly version: string
  readonly namespace: string
  readonly createNamespace: boolean
  readonly valuesFile: string | undefined
}

const flagsWithValue = new Set(['--repo', '--version', '--namespace', '-n', '--values', '-f', '--timeout'])

/** `undefined` for a command that the lab does not know. */
export function parseHelmCommand(args: readonly string[]): HelmCommand | undefined {
  const flags = new Map<string, string>()
  const words: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (flagsWithValue.has(arg)) flags.set(arg, args[++index] ?? '')
    else if (arg.startsWith('-')) flags.set(arg, 'true')
    else words.push(arg)
  }
  const [verb, release = '', reference = ''] = words
  if (verb !== 'upgrade' && verb !== 'uninstall') return undefined
  const isOci = reference.startsWith('oci://')
  return {
    verb,
    release,
    chart: reference.split('/').at(-1) ?? '',
    repository: isOci ? reference.split('/').slice(0, -1).join('/') : (flags.get('--repo') ?? ''),
    version: flags.get('--version') ?? '',
    namespace: flags.get('--namespace') ?? flags.get('-n') ?? 'default',
    createNamespace: flags.has('--create-namespace'),
    valuesFile: flags.get('--values') ?? flags.get('-f'),
  }
}
