import type { RotatedCa } from '../../src/cluster/rotation.js'
import type { SecretsBundle, SecretsFile } from '../../src/secrets/bundle.js'
import { secretsStore } from '../../src/secrets-store.js'
import { adminCertificate, clientCertificate } from '../../src/talos/clientconfig/client-certificate.js'
import { signedAgain } from '../../src/talos/clientconfig/service-account-token.js'
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
        ? world.talos.probe({ machine, address }, talos, signal)
        : world.kubernetes.probe({ host: address, port: 6443 }, admin, signal)
    return asked.then(
      () => true,
      () => false,
    )
  }
}

/** Whether the API server of a machine takes a token of the key that these secrets have. */
export async function takingTokens(
  stage: Stage,
  { certs }: SecretsBundle,
): Promise<(machine: string) => Promise<boolean>> {
  const { world, signal } = await byHand(stage)
  return async (machine) => {
    const endpoint = { host: await addressOf(stage, machine), port: 6443 }
    const own = await world.kubernetes.at([endpoint]).requestToken('kube-system', 'default', signal)
    return world.kubernetes.takesToken(endpoint, signedAgain(own, certs.k8sserviceaccount.key), signal)
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
