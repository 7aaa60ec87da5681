import { readFileSync, writeFileSync } from 'node:fs'
import { isRotatedCa, rotationPhases, rotationTargets } from '../../../src/cluster/rotation.js'
import { kubernetesRange } from '../../../src/cluster/version.js'
import { reasonOf } from '../../../src/errors.js'
import { freshKey } from '../../../src/operations/change/rotated-spec.js'
import { formatBundle, parseSecretsFile } from '../../../src/secrets/bundle-file.js'
import { generateBundle } from '../../../src/secrets/generate.js'
import { plannedFile } from '../../../src/secrets/rotation.js'
import { clientCertificate } from '../../../src/talos/clientconfig/client-certificate.js'
import { talosconfig } from '../../../src/talos/clientconfig/talosconfig.js'
import { maskSecrets } from '../../../src/talos/config/mask-secrets.js'
import { renderConfig } from '../../../src/talos/config/render.js'
import type { TalosMachine } from '../../../src/talos/config/talos-machine.js'
import { configInputs } from './config-inputs.js'
import { schemaView } from './known-fields-view.js'
import { libraryInput } from './library-input.js'
import { patchCases } from './patch-cases.js'
import { hostnameSpec, specs } from './specs.js'

/** Writes what the judge of one minor looks at. Arguments: the minor, and the folder that holds the library's `secrets.yaml`. */
const minor = Number(process.argv[2])
const folder = process.argv[3] ?? ''
const { bundle } = parseSecretsFile(readFileSync(`${folder}/secrets.yaml`, 'utf8'), 'secrets.yaml')

/** The same machine in the style of one contract, read by the Talos of this minor. */
function made(machine: TalosMachine, contract: number): TalosMachine {
  const newest = kubernetesRange({ major: 1, minor, patch: 0 })?.to ?? 31
  return {
    ...machine,
    contract: `v1.${contract}`,
    talosVersion: `v1.${minor}.0`,
    cluster: { ...machine.cluster, kubernetesVersion: `v1.${newest}.1` },
  }
}

/** The patches that make the library's config what this machine asks for. */
function requestsOf({ hostname }: TalosMachine, name: string, contract: number): string[] {
  const all = [...(hostname === undefined ? [] : hostnameSpec(hostname)), ...(specs[name] ?? [])]
  return all.filter((spec) => spec.from <= contract && contract <= spec.until).map(({ patch }) => patch)
}

function write(name: string, value: unknown): void {
  writeFileSync(`${folder}/${name}`, typeof value === 'string' ? value : JSON.stringify(value, null, 1))
}

/** Every style up to this minor's own: an upgrade keeps the style that the cluster was made with. */
for (let contract = 8; contract <= minor; contract++) {
  const sayable = configInputs.filter(
    ({ contracts }) => (contracts?.from ?? 8) <= contract && contract <= (contracts?.until ?? 14),
  )
  for (const [index, { name, machine }] of sayable.entries()) {
    const one = made(machine, contract)
    const config = renderConfig(one, bundle)
    write(`config-${contract}-${index}.json`, {
      name: contract === minor ? name : `${name}, in the style of ${one.contract}`,
      contract: one.contract,
      role: one.role,
      config,
      masked: maskSecrets(config).text,
      specs: requestsOf(one, name, contract),
      input: libraryInput(one),
    })
  }
}

/** Both roles in every phase of every rotation that the style of this minor has room for. */
for (const what of rotationTargets.filter((one) => minor >= 14 || isRotatedCa(one))) {
  const fresh = await freshKey(what)
  for (const phase of rotationPhases) {
    const file = plannedFile({ bundle, memory: { bootstrapped: true, values: {} } }, { what, phase, run: 'run' }, fresh)
    for (const role of ['controlplane', 'worker'] as const) {
      const machine = configInputs.find((one) => one.machine.role === role)?.machine
      if (machine === undefined) throw new Error(`there is no ${role} among the inputs`)
      const one = made(machine, minor)
      const config = renderConfig(one, file.bundle)
      const name = `${what}, ${phase}, ${role}`
      write(`phase-${what}-${phase}-${role}.json`, {
        name,
        contract: one.contract,
        role,
        config,
        masked: maskSecrets(config).text,
      })
    }
  }
}

const judged = patchCases.filter(({ when }) => (when.from ?? 8) <= minor && minor <= (when.until ?? 14))
for (const [index, { name, machine, patches, when }] of judged.entries()) {
  const one = made(machine, Math.min(minor, when.contract ?? minor))
  write(`patch-${index}.json`, { name, config: renderConfig(one, bundle), patches, ...patched(one, patches) })
}

function patched(machine: TalosMachine, texts: readonly string[]): { ours: string } | { refusal: string } {
  const patches = texts.map((text, index) => ({ source: `patch-${index}.yaml`, line: 1, text }))
  try {
    return { ours: renderConfig({ ...machine, patches }, bundle) }
  } catch (thrown) {
    return { refusal: reasonOf(thrown) }
  }
}

write('bundle-ichor.yaml', formatBundle(await generateBundle(`v1.${minor}`)))
write('rewritten-secrets.yaml', formatBundle(bundle))
const certificate = await clientCertificate(bundle, { roles: ['os:admin'], lifetimeHours: 24, now: new Date() })
write('talosconfig', talosconfig({ name: 'dev', endpoints: ['10.0.10.11', '10.0.10.12'], certificate }))
write('known-fields.json', schemaView(minor))
