/** Probes of Talos 1.13 or later, which open connections again and again while a firewall is tested. They never stay. */
const prefix = 'ichor-reach-'
const ofProbe = new RegExp(`^kind: *TCPProbeConfig *$[^]*^name: *${prefix}\\d+ *$`, 'm')
const betweenDocuments = /^---(?:[ \t].*)?$\n?/m

/** The config of a node with probes that dial these endpoints, such as `10.0.10.10:2380`. */
export function withProbes(config: string, endpoints: readonly string[]): string {
  const text = config.endsWith('\n') ? config : `${config}\n`
  return [text, ...endpoints.map(probeText)].join('---\n')
}

/** The same config without them. */
export function withoutProbes(config: string): string {
  if (!config.includes(prefix)) return config
  return config
    .split(betweenDocuments)
    .filter((document) => !ofProbe.test(document))
    .join('---\n')
}

export function hasProbes(config: string): boolean {
  return config.split(betweenDocuments).some((document) => ofProbe.test(document))
}

/** The ID of the ProbeStatus. */
export function probeId(endpoint: string): string {
  return `tcp:${endpoint}`
}

function probeText(endpoint: string, index: number): string {
  return [
    'apiVersion: v1alpha1',
    'kind: TCPProbeConfig',
    `name: ${prefix}${index}`,
    'interval: 1s',
    'failureThreshold: 1',
    `endpoint: "${endpoint}"`,
    'timeout: 3s',
    '',
  ].join('\n')
}
