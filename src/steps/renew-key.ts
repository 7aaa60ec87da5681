import { isUnfinished, type RotationState } from '../cluster/rotation.js'
import { tokensOfOldKey } from '../findings/refusals/secrets.js'
import { longestRenewal } from '../kubernetes/old-pods.js'
import { keptTokens, notWrittenSince } from '../kubernetes/old-secrets.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { clusterTime, serviceAccountKeys } from '../node/token-proof.js'
import { keyIdIn, keyIdOf } from '../talos/clientconfig/service-account-token.js'
import { waitUntil } from '../work/wait-until.js'
import type { WorkContext } from '../work/work-context.js'
import { defineStep, noArgs } from './step.js'

const minute = 60_000
const secretKind = { apiVersion: 'v1', kind: 'Secret' }

/**
 * Every API server encrypts with the new key and reads with both, so rewriting a secret moves it to the new key. API
 * servers do not report which key a secret uses, so an interrupted run starts over.
 */
export const rewriteSecrets = defineStep({
  kind: 'rewrite-secrets',
  args: noArgs,
  title: () => 'write all Secrets again, with the new key',
  changes: true,
  disruptive: false,
  done: async () => false,
  async run(_args, context) {
    const api = await kubernetesApi(context)
    const secrets = await leftSecrets(context)
    for (const [index, { metadata }] of secrets.entries()) {
      context.assertLease()
      await api.rewrite(secretKind, metadata.namespace, metadata.name ?? '', context.signal)
      if (index % 100 === 99) context.note(`${index + 1} of ${secrets.length} Secrets are written`)
    }
  },
  effect: () => {},
})

/** Secrets that have not been written since every API server encrypts with the new key. */
async function leftSecrets(context: WorkContext): Promise<KubernetesObject[]> {
  const { secretsUntil = '0' } = await rotationNow(context)
  return notWrittenSince(await listSecrets(context), secretsUntil)
}

/** Kubelets replace pod tokens before they expire, and restarted pods get new ones at once. */
export const renewTokens = defineStep({
  kind: 'renew-tokens',
  args: noArgs,
  title: () => 'wait until no pod holds a token of the old key',
  changes: false,
  disruptive: false,
  done: async () => false,
  async run(_args, context) {
    await refuseKeptTokens(context)
    await waitUntil(
      {
        forWhat: 'the kubelets to replace the tokens of running pods, which takes most of an hour',
        where: 'the pods of the cluster',
        timeoutMs: 26 * 60 * minute,
        intervalMs: minute / 2,
        fix: 'Restart the pods that are left. Both keys are accepted meanwhile; the same command continues.',
      },
      () => areTokensRenewed(context),
      context,
    )
    await refuseKeptTokens(context)
  },
  effect: () => {},
})

/**
 * From the time when every API server signed with the new key, by the cluster's clock, plus a minute for clock skew.
 */
async function areTokensRenewed(context: WorkContext): Promise<true | undefined> {
  const { podsUntil = '', issuedAt = '' } = await rotationNow(context)
  const api = await kubernetesApi(context)
  const pods = await api.list({ apiVersion: 'v1', kind: 'Pod' }, undefined, {}, context.signal)
  const renewalMs = longestRenewal(pods, podsUntil)
  if (renewalMs === undefined) return true
  return (await clusterTime(context)) > Date.parse(issuedAt) + renewalMs + minute ? true : undefined
}

/** Long-lived tokens are still in use: only their owners know when they may stop working. */
async function refuseKeptTokens(context: WorkContext): Promise<void> {
  const old = keyIdOf((await serviceAccountKeys(context)).old)
  const secrets = await listSecrets(context)
  const names = keptTokens(secrets).flatMap(({ name, token }) => (keyIdIn(token) === old ? [name] : []))
  const [first = ''] = names
  if (names.length === 0) return
  const [namespace, name] = first.split('/')
  throw tokensOfOldKey.refuse(
    `${names.length === 1 ? 'A Secret holds a token' : `${names.length} Secrets hold tokens`} of the old key, which Kubernetes does not replace: ${names.slice(0, 5).join(', ')}.`,
    {
      subject: { kind: 'object', name: names.join(', ') },
      where: 'Secrets of type kubernetes.io/service-account-token',
      fix: `Have Kubernetes make another one (kubectl -n ${namespace} patch secret ${name} --type merge -p '{"data":{"token":null}}'), distribute it to its clients, and run the same command again. Both keys are accepted meanwhile.`,
    },
  )
}

async function listSecrets(context: WorkContext): Promise<KubernetesObject[]> {
  return (await kubernetesApi(context)).list(secretKind, undefined, {}, context.signal)
}

async function rotationNow({ secrets }: WorkContext): Promise<RotationState> {
  const rotation = (await secrets.find())?.memory.rotation
  if (!isUnfinished(rotation)) throw new Error('no rotation is under way')
  return rotation
}
