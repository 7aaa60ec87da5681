import { isUnfinished, type KeyMaterial, type RotatedCa, type RotationPhase } from '../cluster/rotation.js'
import { UserFacingError } from '../errors.js'
import {
  adminCertificate,
  type ClientCertificate,
  clientCertificate,
} from '../talos/clientconfig/client-certificate.js'
import type { World } from '../world.js'
import { getAddress } from './node-address.js'
import type { WorkContext } from './work-context.js'

const kubernetesPort = 6443

/**
 * Whether a machine is in this phase, over new connections. `accept`: it accepts certificates of the new CA. `issue`:
 * it presents a certificate of the new CA. `drop`: it no longer accepts certificates of the old CA. For Kubernetes only
 * API servers can be queried; a kubelet that is rejected makes its node NotReady.
 */
export async function caProof(
  what: RotatedCa,
  phase: RotationPhase,
  world: World,
  context: WorkContext,
): Promise<(machine: string) => Promise<boolean>> {
  const visitors = await visitorsOf(what, phase, world)
  return (machine) => isTaken(machine, visitors, { what, world, context })
}

interface Visitors {
  /** Must be accepted. */
  readonly welcome: ClientCertificate
  /** Must be rejected. */
  readonly refused?: ClientCertificate
}

interface Asking {
  readonly what: RotatedCa
  readonly world: World
  readonly context: WorkContext
}

async function isTaken(machine: string, { welcome, refused }: Visitors, asking: Asking): Promise<boolean> {
  await greet(machine, welcome, asking)
  if (refused === undefined) return true
  return greet(machine, refused, asking).then(
    () => false,
    (thrown: unknown) => {
      if (thrown instanceof UserFacingError) return true
      throw thrown
    },
  )
}

async function greet(machine: string, as: ClientCertificate, { what, world, context }: Asking): Promise<void> {
  const address = await getAddress(machine, world, context)
  if (what === 'talos-ca') await world.talos.greet({ machine, address }, as, context.signal)
  else await world.kubernetes.greet({ host: address, port: kubernetesPort }, as, context.signal)
}

async function visitorsOf(what: RotatedCa, phase: RotationPhase, world: World): Promise<Visitors> {
  const file = await world.secrets.find()
  const rotation = file?.memory.rotation
  if (file === undefined || !isUnfinished(rotation) || rotation.other === undefined)
    throw new Error('no rotation is under way')
  const place = what === 'talos-ca' ? 'os' : 'k8s'
  const signing = file.bundle.certs[place]
  const [old, fresh] = phase === 'accept' ? [signing, rotation.other] : [rotation.other, signing]
  const make = (signedBy: KeyMaterial, trusting: KeyMaterial) =>
    certificateOf(what, bundleOf(file.bundle, place, signedBy, trusting), new Date(world.clock.now()))
  // Nodes that only accept the new CA still present a certificate of the old one.
  const welcome = await make(fresh, phase === 'accept' ? old : fresh)
  return phase === 'drop' ? { welcome, refused: await make(old, fresh) } : { welcome }
}

type Bundle = Parameters<typeof clientCertificate>[0]

/** The bundle with this key, and with another trusted certificate instead of its own. */
function bundleOf(bundle: Bundle, place: 'os' | 'k8s', { crt = '', key }: KeyMaterial, trusted: KeyMaterial) {
  const secrets = { ...bundle, certs: { ...bundle.certs, [place]: { crt, key } } }
  return { secrets, ca: Buffer.from(trusted.crt ?? '', 'base64').toString() }
}

async function certificateOf(
  what: RotatedCa,
  { secrets, ca }: ReturnType<typeof bundleOf>,
  now: Date,
): Promise<ClientCertificate> {
  const lifetimeHours = 1
  const issued =
    what === 'talos-ca'
      ? await clientCertificate(secrets, { roles: ['os:reader'], lifetimeHours, now })
      : await adminCertificate(secrets, { lifetimeHours, now })
  return { ...issued, ca }
}
