import { isUnfinished, type KeyMaterial, type RotatedCa, type RotationPhase } from '../cluster/rotation.js'
import { UserFacingError } from '../errors.js'
import {
  adminCertificate,
  type ClientCertificate,
  clientCertificate,
} from '../talos/clientconfig/client-certificate.js'
import type { WorkContext } from '../work/work-context.js'
import { getAddress } from './node-address.js'

const kubernetesPort = 6443

/**
 * Whether a machine is in this phase, over new connections. `accept`: it accepts certificates of the new CA. `issue`:
 * it presents a certificate of the new CA. `drop`: it no longer accepts certificates of the old CA. For Kubernetes only
 * API servers can be queried; a kubelet that is rejected makes its node NotReady.
 */
export async function caProof(
  what: RotatedCa,
  phase: RotationPhase,
  context: WorkContext,
): Promise<(machine: string) => Promise<boolean>> {
  const visitors = await visitorsOf(what, phase, context)
  return (machine) => isTaken(machine, visitors, what, context)
}

interface Visitors {
  /** Must be accepted. */
  readonly welcome: ClientCertificate
  /** Must be rejected. */
  readonly refused?: ClientCertificate
}

async function isTaken(
  machine: string,
  { welcome, refused }: Visitors,
  what: RotatedCa,
  context: WorkContext,
): Promise<boolean> {
  await probe(machine, welcome, what, context)
  if (refused === undefined) return true
  return probe(machine, refused, what, context).then(
    () => false,
    (thrown: unknown) => {
      if (thrown instanceof UserFacingError) return true
      throw thrown
    },
  )
}

async function probe(machine: string, as: ClientCertificate, what: RotatedCa, context: WorkContext): Promise<void> {
  const address = await getAddress(machine, context)
  if (what === 'talos-ca') await context.talos.probe({ machine, address }, as, context.signal)
  else await context.kubernetes.probe({ host: address, port: kubernetesPort }, as, context.signal)
}

async function visitorsOf(what: RotatedCa, phase: RotationPhase, { secrets, clock }: WorkContext): Promise<Visitors> {
  const file = await secrets.find()
  const rotation = file?.memory.rotation
  if (file === undefined || !isUnfinished(rotation) || rotation.other === undefined)
    throw new Error('no rotation is under way')
  const place = what === 'talos-ca' ? 'os' : 'k8s'
  const signing = file.bundle.certs[place]
  const [old, fresh] = phase === 'accept' ? [signing, rotation.other] : [rotation.other, signing]
  const make = (signedBy: KeyMaterial, trusting: KeyMaterial) =>
    certificateOf(what, bundleOf(file.bundle, place, signedBy, trusting), new Date(clock.now()))
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
