// Writes src/simulator/proxmox/schema/catalogue.ts from two API dumps (8.x and 9.x), keeping only what the lab serves
// and only the rules that decide whether a request is accepted.
// Usage: node tests/contract/make-catalogue.mjs api-schema.json api-schema-pve9.json
import { readFileSync, writeFileSync } from 'node:fs'

const [old, current] = process.argv.slice(2)
const served = [
  /^\/(version|storage|pools|access|cluster|nodes)?$/,
  /^\/storage\//,
  /^\/pools\//,
  /^\/access\/(users|groups|roles|acl|domains|permissions|ticket|password)/,
  /^\/cluster\/(backup|backup-info|config|firewall|ha|jobs|log|mapping|nextid|options|replication|resources|sdn|status|tasks)/,
  /^\/cluster\/metrics\/server$/,
  /^\/nodes\/\{node\}$/,
  /^\/nodes\/\{node\}\/(capabilities|certificates\/info|config|dns|firewall|hosts|hardware|netstat|network|qemu|query-url-metadata|rrddata|startall|stopall|status|storage|subscription|syslog|tasks|time|version|vzdump)/,
  /^\/nodes\/\{node\}\/(lxc|aplinfo|disks\/list|sdn\/zones)$/,
  /^\/nodes\/\{node\}\/lxc\/\{vmid\}\/config$/,
]
const unserved =
  /fabrics|controllers|ipams|prefix-lists|route-maps|\/dns\/\{|sdn\/dns|dbus|mtunnel|remote_migrate|spiceproxy|custom-cpu|\/arm-ha|\/oci|\/tfa|domains\/\{realm\}\/sync|unlock-tfa|usb|schedule-analyze|realm-sync|qdevice|totem/
const rules = [
  'type',
  'optional',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'enum',
  'requires',
  'default_key',
  'alias',
  'keyAlias',
  'only',
]

const definitions = []
const numberOf = new Map()

function slim(property) {
  const kept = {}
  for (const rule of rules) if (property[rule] !== undefined && property[rule] !== null) kept[rule] = property[rule]
  if (kept.type === 'string') delete kept.type
  if (property.format !== undefined)
    kept.format =
      typeof property.format === 'string'
        ? property.format
        : Object.fromEntries(Object.entries(property.format).map(([name, inner]) => [name, slim(inner)]))
  if (property.items !== undefined) kept.items = slim(property.items)
  return kept
}

function define(property) {
  const text = JSON.stringify(slim(property))
  if (!numberOf.has(text)) numberOf.set(text, definitions.push(text) - 1)
  return numberOf.get(text)
}

/** Most schemas are one list of properties. Some add several (`allOf`), one of them by the value of `type` (`oneOf`). */
function propertiesOf(schema) {
  if (schema?.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(propertiesOf))
  if (schema?.oneOf === undefined) return schema?.properties ?? {}
  const merged = { [schema['type-property']]: schema['type-property-schema'] }
  for (const { properties, 'instance-type': type } of schema.oneOf)
    for (const [name, property] of Object.entries(properties))
      merged[name] = { ...property, only: [...(merged[name]?.only ?? []), type] }
  for (const property of Object.values(merged)) if (property.only?.length === schema.oneOf.length) delete property.only
  return merged
}

function endpoints(file) {
  const all = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"path"'))
  return all
    .map((line) => JSON.parse(line.replace(/,$/, '')))
    .filter(({ path }) => served.some((pattern) => pattern.test(path)) && !unserved.test(path))
    .map(({ path, method, permissions, allowtoken, proxyto, parameters }) => {
      const byDefinition = Object.entries(propertiesOf(parameters)).map(([name, property]) => [name, define(property)])
      const who = permissions?.user ?? permissions?.check ?? 'root@pam'
      const flags = [
        allowtoken === 0 ? 'ticket' : '',
        proxyto === 'node' ? 'node' : '',
        parameters?.additionalProperties === 1 ? 'open' : '',
      ]
      return `${method} ${path} ${flags.filter(Boolean).join('+') || '-'} ${JSON.stringify(who)} ${byDefinition.map(([name, n]) => `${name}:${n}`).join(' ')}`
    })
}

const root = 'GET / - "all" '
const eight = new Set([root, ...endpoints(old)])
const nine = new Set([root, ...endpoints(current)])
const lines = [
  ...[...eight].filter((line) => nine.has(line)).map((line) => `* ${line}`),
  ...[...eight].filter((line) => !nine.has(line)).map((line) => `8 ${line}`),
  ...[...nine].filter((line) => !eight.has(line)).map((line) => `9 ${line}`),
].sort((a, b) => a.slice(2).localeCompare(b.slice(2)))

for (const text of [...definitions, ...lines])
  if (text.includes('`') || text.includes('${')) throw new Error(`needs escaping: ${text}`)
writeFileSync(
  new URL('../../src/simulator/proxmox/schema/catalogue.ts', import.meta.url),
  `/** Made by tests/contract/make-catalogue.mjs. One rule for a value a line; the endpoints name them by their number. */
export const definitionLines = String.raw\`
${definitions.join('\n')}
\`

/** A line each: the major version that has it (\`*\` for both), method, path, flags, who may call it, parameters with their rule. */
export const endpointLines = \`
${lines.join('\n')}
\`
`,
)
