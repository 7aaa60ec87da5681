import type { DeprecatedApi } from './port.js'

/** Deprecated APIs in use, from the metrics of an API server. */
export function parseDeprecatedApis(metrics: string): DeprecatedApi[] {
  const series = metrics.matchAll(/^apiserver_requested_deprecated_apis\{([^}]*)\} ([\d.e+]+)$/gm)
  return [...series].flatMap(([, labels = '', count]) => {
    if (Number(count) === 0) return []
    const { group = '', version = '', resource = '', subresource = '', removed_release = '' } = labelsOf(labels)
    const name = `${group === '' ? version : `${group}/${version}`} ${resource}${subresource === '' ? '' : `/${subresource}`}`
    return [{ name, ...(removed_release === '' ? {} : { removedIn: removed_release }) }]
  })
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]))
}
