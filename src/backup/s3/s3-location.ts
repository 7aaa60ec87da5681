import { isPlainHttp } from '../../cluster/plain-http.js'
import { BackupError } from '../snapshot-error.js'
import type { S3Credentials } from './sign.js'

/** A bucket and its credentials. */
export interface S3Location {
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly endpoint: URL
  readonly region: string
  readonly credentials: S3Credentials
}

export interface S3Settings {
  readonly endpoint?: string
  readonly region?: string
  readonly accessKey?: string
  readonly secretKey?: string
  /** Hosts that may be used without TLS. */
  readonly allowHttp?: readonly string[]
}

/** A bucket, where its service is. */
export type S3Place = Omit<S3Location, 'credentials'>

/** Settings come first; the rest comes from the usual S3 environment variables. */
export function s3Location(store: string, settings: S3Settings, env: NodeJS.ProcessEnv): S3Location {
  return { ...s3Place(store, settings, env), credentials: credentialsOf(settings, env, store) }
}

/** The same without its credentials, which are not needed to know where they would go. */
export function s3Place(store: string, settings: S3Settings, env: NodeJS.ProcessEnv): S3Place {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(store) ?? []
  const region = namedRegion(settings.region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1', store)
  const endpoint = settings.endpoint ?? s3EndpointIn(env) ?? `https://s3.${region}.amazonaws.com`
  return {
    bucket,
    prefix: path === '' ? '' : `${path.replace(/\/+$/, '')}/`,
    region,
    endpoint: guarded(endpointUrl(endpoint, store), settings, store),
  }
}

/** As the tools of AWS read it. */
export function s3EndpointIn(env: NodeJS.ProcessEnv): string | undefined {
  return env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL
}

/** It becomes part of a host name. */
function namedRegion(region: string, store: string): string {
  if (/^[A-Za-z0-9-]+$/.test(region)) return region
  throw new BackupError(`${JSON.stringify(region)} is not the name of an S3 region.`, {
    where: store,
    fix: 'Write backup.etcd.region as a name such as eu-central-1.',
  })
}

function endpointUrl(text: string, store: string): URL {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address)
  throw new BackupError(`"${text}" is not the address of an S3 service.`, {
    where: store,
    fix: 'Write backup.etcd.endpoint as https://HOST:PORT.',
  })
}

/**
 * Requests are signed but not encrypted: an attacker in between reads the names and may withhold or replace objects.
 */
function guarded(endpoint: URL, { allowHttp = [] }: S3Settings, store: string): URL {
  if (!isPlainHttp(endpoint.href) || allowHttp.includes(endpoint.hostname)) return endpoint
  throw new BackupError(`Snapshots would be sent to ${endpoint.origin} over unencrypted http.`, {
    where: store,
    fix: `Use https, or add ${endpoint.hostname} to allow_http if you trust the network in between.`,
  })
}

function credentialsOf({ accessKey, secretKey }: S3Settings, env: NodeJS.ProcessEnv, store: string): S3Credentials {
  if (accessKey !== undefined && secretKey !== undefined) return { accessKey, secretKey }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  if (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    return {
      accessKey: AWS_ACCESS_KEY_ID,
      secretKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
    }
  }
  throw new BackupError('There are no credentials for the S3 service.', {
    where: store,
    fix: 'Set backup.etcd.access_key and backup.etcd.secret_key, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  })
}
