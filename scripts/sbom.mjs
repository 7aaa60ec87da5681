// Prints the bill of materials of what ships, as CycloneDX: what npm installs with ichor, and what dist/ contains.
// node scripts/sbom.mjs [--executable]   With --executable: of the single executable that this Node makes.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const isExecutable = process.argv.includes('--executable')
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const contained = new Set(
  [...readFileSync('dist/third-party-licenses.txt', 'utf8').matchAll(/^-+\n(\S+) (\S+): /gm)].map(
    ([, one, itsVersion]) => `${one}@${itsVersion}`,
  ),
)
const words = ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'error']
const options = { encoding: 'utf8', maxBuffer: 1e8, shell: process.platform === 'win32' }
const all = JSON.parse(execFileSync('npm', words, options))

/** npm marks what only a checkout needs; what of it stands in dist/ ships all the same. */
const forCheckout = 'cdx:npm:package:development'
const isForCheckout = ({ properties }) => properties.some((one) => one.name === forCheckout)
const components = all.components
  .filter((one) => contained.has(one['bom-ref']) || !isForCheckout(one))
  .map((one) => ({ ...one, properties: one.properties.filter((property) => property.name !== forCheckout) }))
const runtime = {
  'bom-ref': `node@${process.versions.node}`,
  type: 'platform',
  name: 'node',
  version: process.versions.node,
  scope: 'required',
  purl: `pkg:generic/node@${process.versions.node}`,
}
const shipped = isExecutable ? [...components, runtime] : components
const refs = new Set(shipped.map((one) => one['bom-ref']))
const missing = [...contained].filter((one) => !refs.has(one))
if (missing.length > 0) throw new Error(`npm does not list what dist/ contains: ${missing.join(', ')}`)

const root = all.metadata.component
const dependencies = all.dependencies
  .filter(({ ref }) => ref === root['bom-ref'] || refs.has(ref))
  .map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: [
      ...dependsOn.filter((one) => refs.has(one)),
      ...(isExecutable && ref === root['bom-ref'] ? [runtime['bom-ref']] : []),
    ],
  }))
const metadata = { ...all.metadata, component: { ...root, type: 'application', name, version } }
process.stdout.write(`${JSON.stringify({ ...all, metadata, components: shipped, dependencies }, null, 2)}\n`)
