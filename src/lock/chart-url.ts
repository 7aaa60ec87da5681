import { parse } from 'yaml'

interface Wanted {
  readonly base: string
  readonly chart: string
  readonly version: string
}

/** The archive URL of a chart in a repository's index; versions match with or without `v`. */
export function chartUrl(index: string, { base, chart, version }: Wanted): string {
  const { entries } = (parse(index) ?? {}) as { entries?: Record<string, { version?: string; urls?: string[] }[]> }
  const bare = (text: string | undefined) => String(text ?? '').replace(/^v/, '')
  const [url] = entries?.[chart]?.find((one) => bare(one.version) === bare(version))?.urls ?? []
  if (url === undefined) throw new Error(`its index has no ${chart} ${version}`)
  return new URL(url, `${base}/`).href
}
