import { readFileSync, writeFileSync } from 'node:fs'
import { kubernetesRange } from '../../../src/cluster/version.js'
import { reasonOf } from '../../../src/errors.js'
import { formatBundle, parseSecretsFile } from '../../../src/secrets/bundle-file.js'
import { generateBundle } from '../../../src/secrets/generate.js'
import { renderConfig } from '../../../src/talos/config/render.js'
import type { TalosMachine } from '../../../src/talos/config/talos-machine.js'
import { type ConfigInput, configInputs } from './config-inputs.js'
import { schemaView } from './known-fields-view.js'
import { libraryInput } from './library-input.js'
import { type PatchCase, patchCases } from './patch-cases.js'
import { hostnameWish, wishes } from './wishes.js'

/** Writes what the judge of one minor looks at. Arguments: the minor, and the folder that holds the library's `secrets.yaml`. */
const minor = Number(process.argv[2])
const folder = process.argv[3] ?? ''
const { bundle } = parseSecretsFile(readFileSync(`${folder}/secrets.yaml`, 'utf8'), 'secrets.yaml')

/** The same machine, as it is made with this minor. */
function made(machine: TalosMachine): TalosMachine {
  const newest = kubernetesRange({ major: 1, minor, patch: 0 })?.to ?? 31
  return {
    ...machine,
    contract: `v1.${minor}`,
    talosVersion: `v1.${minor}.0`,
    cluster: { ...machine.cluster, kubernetesVersion: `v1.${newest}.1` },
  }
}

/** The patches that make the library's config what this machine asks for. */
function wishesOf({ hostname }: TalosMachine, name: string): string[] {
  const all = [...(hostname === undefined ? [] : hostnameWish(hostname)), ...(wishes[name] ?? [])]
  return all.filter((wish) => wish.from <= minor && minor <= wish.until).map(({ patch }) => patch)
}

function isSayable({ minors }: ConfigInput | PatchCase): boolean {
  return (minors?.from ?? 0) <= minor && minor <= (minors?.until ?? Number.POSITIVE_INFINITY)
}

function write(name: string, value: unknown): void {
  writeFileSync(`${folder}/${name}`, typeof value === 'string' ? value : JSON.stringify(value, null, 1))
}

for (const [index, { name, machine }] of configInputs.filter(isSayable).entries()) {
  const one = made(machine)
  const config = renderConfig(one, bundle)
  write(`config-${index}.json`, {
    name,
    contract: one.contract,
    role: one.role,
    config,
    wishes: wishesOf(one, name),
    input: libraryInput(one),
  })
}

for (const [index, { name, machine, patches }] of patchCases.filter(isSayable).entries()) {
  const one = made(machine)
  const config = renderConfig(one, bundle)
  write(`patch-${index}.json`, { name, config, patches, ...patched(one, patches) })
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
write('known-fields.json', schemaView(minor))
