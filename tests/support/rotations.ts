import type { RotatedCa } from '../../src/cluster/rotation.js'
import type { SecretsBundle, SecretsFile } from '../../src/secrets/bundle.js'
import { secretsStore } from '../../src/secrets-store.js'
import { adminCertificate, clientCertificate } from '../../src/talos/clientconfig/client-certificate.js'
import { signToken } from '../../src/talos/clientconfig/service-account-token.js'
import type { World } from '../../src/world.js'
import { byHand } from './by-hand.js'
import type { Stage, UpOptions } from './lab.js'

export async function secretsNow(stage: Stage): Promise<SecretsFile> {
  const store = secretsStore(await stage.inventory(), { env: {}, notify: () => {}, isLab: true })
  const file = await store.find()
  if (file === undefined) throw new Error('there are no secrets')
  return file
}

/** Whether somebody is let in who was given access when the secrets were these. */
export async function lettingIn(
  stage: Stage,
  what: RotatedCa,
  bundle: SecretsBundle,
): Promise<(machine: string) => Promise<boolean>> {
  const { world, signal } = await byHand(stage)
  const options = { lifetimeHours: 24, now: new Date(world.clock.now()) }
  const talos = await clientCertificate(bundle, { ...options, roles: ['os:admin'] })
  const admin = await adminCertificate(bundle, options)
  return async (machine) => {
    const address = await addressOf(stage, machine)
    const asked =
      what === 'talos-ca'
        ? world.talos.greet({ machine, address }, talos, signal)
        : world.kubernetes.greet({ host: address, port: 6443 }, admin, signal)
    return asked.then(
      () => true,
      () => false,
    )
  }
}

/** Whether the API server of a machine takes a token of this key. */
export async function takingTokens(
  stage: Stage,
  endpoint: string,
  { certs }: SecretsBundle,
): Promise<(machine: string) => Promise<boolean>> {
  const { world, signal } = await byHand(stage)
  const account = { namespace: 'kube-system', name: 'default' }
  return async (machine) => {
    const host = await addressOf(stage, machine)
    const api = world.kubernetes.at([{ host, port: 6443 }])
    const found = await api.find({ apiVersion: 'v1', kind: 'ServiceAccount' }, account.namespace, account.name, signal)
    const claims = { issuer: endpoint, account: { ...account, uid: found?.metadata.uid ?? '' } }
    const token = signToken(certs.k8sserviceaccount.key, { ...claims, now: new Date(world.clock.now()) })
    return world.kubernetes.takesToken({ host, port: 6443 }, token, signal)
  }
}

/** Ends the run right after the nth time that it wrote a phase into the secrets. */
export function stoppedAfterWrite(nth: number): Pick<UpOptions, 'through' | 'signal'> {
  const stop = new AbortController()
  let writes = 0
  const thenStop =
    <P extends unknown[]>(write: (...given: P) => Promise<void>) =>
    async (...given: P) => {
      await write(...given)
      if (++writes === nth) stop.abort(new Error('stopped'))
    }
  const through = ({ secrets, ...world }: World): World => {
    const { beginRotation, advanceRotation } = secrets
    return {
      ...world,
      secrets: { ...secrets, beginRotation: thenStop(beginRotation), advanceRotation: thenStop(advanceRotation) },
    }
  }
  return { through, signal: stop.signal }
}

async function addressOf(stage: Stage, machine: string): Promise<string> {
  return (await stage.inventory()).machines.find(({ name }) => name === machine)?.address ?? ''
}
