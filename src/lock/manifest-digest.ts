import { createHash } from 'node:crypto'
import { isLoopback } from '../cluster/plain-http.js'
import { bytesOf, fetchAnswer } from '../reach/fetch-text.js'
import { parseJson } from '../reach/parse-json.js'

const accepted = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')

/**
 * The digest of the manifest of `ghcr.io/owner/chart:1.2.3`, in hex; works for images that can be pulled anonymously.
 */
export async function manifestDigest(image: string): Promise<string> {
  const [, host = '', name = '', tag = ''] = /^([^/]+)\/(.+):([^:/@]+)$/.exec(image) ?? []
  if (tag === '') throw new Error('it has no registry, name and tag')
  const scheme = isLoopback(host.replace(/:\d+$/, '')) ? 'http' : 'https'
  const url = `${scheme}://${host}/v2/${name}/manifests/${tag}`
  const first = await fetchAnswer(url, { accept: accepted })
  const answer = first.status === 401 ? await withToken(url, first) : first
  if (!answer.ok) throw new Error(`the registry answered ${answer.status}`)
  return createHash('sha256')
    .update(await bytesOf(answer))
    .digest('hex')
}

/** Public registries issue anonymous pull tokens. */
async function withToken(url: string, refused: Response): Promise<Response> {
  const challenge = refused.headers.get('www-authenticate') ?? ''
  const field = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1]
  const realm = field('realm')
  if (!/^bearer /i.test(challenge) || realm === undefined) throw new Error('the registry requires a login')
  const asked = new URL(realm)
  for (const name of ['service', 'scope']) asked.searchParams.set(name, field(name) ?? '')
  const answer = await fetchAnswer(asked.href, {})
  if (!answer.ok) throw new Error(`the registry requires a login (${answer.status})`)
  const { token, access_token } = parseJson((await bytesOf(answer)).toString()) as Record<string, string>
  return fetchAnswer(url, { accept: accepted, authorization: `Bearer ${token ?? access_token}` })
}
