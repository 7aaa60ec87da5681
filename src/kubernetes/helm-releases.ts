import { gunzipSync } from 'node:zlib'
import { parseJson } from '../reach/parse-json.js'
import type { InstalledChart, KubernetesObject } from './port.js'

/** Releases as helm stores them in Secrets. */
export const helmReleases = { apiVersion: 'v1', kind: 'Secret' } as const
export const deployedReleases = 'owner=helm,status=deployed'

/** A Secret of 1 MiB can unpack to a thousand times that. */
const maxRelease = 64 * 1024 * 1024

/** `undefined` if the chart declares none, or the Secret is not one of helm's. */
export function chartIn({ metadata, data }: KubernetesObject): InstalledChart | undefined {
  try {
    const text = (data as { release?: string } | undefined)?.release ?? ''
    const packed = Buffer.from(Buffer.from(text, 'base64').toString('utf8'), 'base64')
    const release = parseJson(gunzipSync(packed, { maxOutputLength: maxRelease }).toString('utf8')) as Release
    const { name = '', version = '', kubeVersion = '' } = release.chart?.metadata ?? {}
    if (kubeVersion === '') return undefined
    return { release: release.name ?? '', namespace: metadata.namespace ?? '', chart: name, version, kubeVersion }
  } catch {
    return undefined
  }
}

interface Release {
  readonly name?: string
  readonly chart?: { readonly metadata?: { name?: string; version?: string; kubeVersion?: string } }
}
