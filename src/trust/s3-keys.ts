import { type S3Settings, s3EndpointIn, s3Place } from '../backup/s3/s3-location.js'
import { type PlanRefused, UsageError } from '../errors.js'
import { unconfirmedReceiver } from '../findings/refusals/secrets.js'
import type { Inventory } from '../inventory/inventory.js'
import type { BoundTo, Destination } from '../secrets/bound-to.js'
import type { SecretsFile } from '../secrets/bundle.js'
import type { SecretsStore } from '../secrets/store.js'
import { isSealedWith, sealed } from './bound-seal.js'
import { formatDestination } from './destination.js'
import type { AskDestination } from './proxmox-door.js'
import { recallDestination, rememberDestination } from './remembered-destination.js'
import { revealer } from './reveal.js'
import type { StateFile } from './state-folder.js'

export interface S3KeysOptions {
  readonly env: NodeJS.ProcessEnv
  readonly store: SecretsStore
  readonly confirmedHere: StateFile
  readonly isNamed?: boolean
  readonly ask?: AskDestination
}

/** The keys of a bucket, once it is settled that they may be sent there. */
export async function s3Keys(named: string, inventory: Inventory, options: S3KeysOptions): Promise<S3Settings> {
  const { settings, where } = inventory
  const { endpoint, region, access_key, secret_key } = settings.backup.etcd
  const place = {
    allowHttp: settings.allow_http,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  }
  await settle(named, place, inventory, options)
  const reveal = revealer(inventory, options.store, options.env)
  const accessKey = access_key === undefined ? undefined : await reveal(access_key, 's3-key')
  if (accessKey !== undefined && !isAccessKey(accessKey)) throw notAKey(where('backup.etcd.access_key'))
  return {
    ...place,
    ...(accessKey === undefined ? {} : { accessKey }),
    ...(secret_key === undefined ? {} : { secretKey: await reveal(secret_key, 's3-key') }),
  }
}

/** It is sent in the clear, unlike the secret key, which only signs. */
function isAccessKey(text: string): boolean {
  return /^[A-Za-z0-9+/=_.-]{1,128}$/.test(text)
}

function notAKey(where: string): UsageError {
  return new UsageError('What backup.etcd.access_key refers to is not an access key of S3.', {
    where,
    fix: 'Refer to the access key that the S3 service gave you.',
  })
}

async function settle(
  named: string,
  settings: S3Settings,
  inventory: Inventory,
  { env, store, confirmedHere, isNamed = false, ask }: S3KeysOptions,
): Promise<void> {
  const { endpoint, bucket } = s3Place(named, settings, env)
  const wanted = { to: [`${endpoint.origin}/${bucket}`], pin: 'system', via: '' }
  const goesTo = (known: Destination | undefined) =>
    known?.to.some((one) => one === wanted.to[0] || (isNamed && one.startsWith(`${endpoint.origin}/`)))
  const file = await findReadable(store)
  const bound = file === undefined ? undefined : boundIn(file)
  if (goesTo(bound) || goesTo(await recallDestination(confirmedHere))) return
  if (bound === undefined && settings.endpoint === undefined) return
  // The environment names an endpoint, and no bucket.
  const mayMove = bound === undefined || isNamed || bound.to.some((one) => one.endsWith(`/${bucket}`))
  if (mayMove && isOfEnvironment(endpoint, env)) return
  const unknown = {
    credential: 'key of the backups',
    host: endpoint.hostname,
    destination: formatDestination(wanted),
    ...(bound === undefined ? {} : { before: formatDestination(bound) }),
  }
  if (!((await ask?.(unknown)) ?? false)) throw refused(wanted, bound, mayMove ? endpoint.origin : undefined, inventory)
  await rememberDestination(confirmedHere, wanted)
  if (file === undefined) return
  await store.remember({ boundTo: { backup: sealed('backup', wanted, [file.bundle.cluster.secret], bound) } })
}

/** The keys may be in the environment: a list of backups does not need the secrets. */
async function findReadable(store: SecretsStore): Promise<SecretsFile | undefined> {
  return store.find().catch(() => undefined)
}

function boundIn({ bundle, memory }: SecretsFile): BoundTo | undefined {
  const bound = memory.boundTo?.backup
  return bound !== undefined && isSealedWith('backup', bound, bundle.cluster.secret) ? bound : undefined
}

function isOfEnvironment({ origin }: URL, env: NodeJS.ProcessEnv): boolean {
  const text = s3EndpointIn(env)
  const address = text === undefined || text === '' ? '' : /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(address) && new URL(address).origin === origin
}

function refused(
  wanted: Destination,
  bound: BoundTo | undefined,
  origin: string | undefined,
  { where }: Inventory,
): PlanRefused {
  const variable = origin === undefined ? '' : `, or set AWS_ENDPOINT_URL_S3=${origin} in the environment`
  const named = wanted.to.join(', ')
  return unconfirmedReceiver.refuse(
    bound === undefined
      ? `It is not confirmed yet that the keys of the backups may be sent to ${named}.`
      : `The keys of the backups are bound to ${bound.to.join(', ')}, and the inventory would send them to ${named}.`,
    {
      subject: { kind: 'inventory', name: 'backup.etcd' },
      where: where('backup.etcd'),
      fix: `If that is right, run ichor backup list on a terminal and confirm it${variable}. Else correct the inventory.`,
    },
  )
}
