import type { Addon, AddonOption } from '../../../src/addons/addon.js'
import { catalogue } from '../../../src/addons/catalogue.js'

/** The catalogue as Markdown, for `docs/addons.md`: written from the same definitions that install it. */
export function renderAddonReference(): string {
  return catalogue.map(describeAddon).join('\n')
}

function describeAddon(addon: Addon): string {
  return [
    `### \`${addon.name}\``,
    '',
    `${addon.summary} Version ${addon.version}, namespace \`${addon.namespace}\`.${addon.holdsData ? ' Holds data: its removal is asked for.' : ''}`,
    ...optionLines(addon),
    ...needLines(addon),
    `- Values: ${trials[addon.tried]}`,
    '',
  ].join('\n')
}

const trials: Readonly<Record<Addon['tried'], string>> = {
  chart: 'rendered with the real chart of this version, and installed in the lab.',
  other: 'rendered with another release of the real chart; this version was only installed in the lab.',
  lab: '**not tried against the real chart**; installed in the lab only.',
  'no-chart': 'none; plain manifests.',
}

function optionLines({ options }: Addon): string[] {
  return Object.entries(options).map(([name, option]) => `- \`${name}\`: ${option.help}${defaultOf(option)}`)
}

function defaultOf(option: AddonOption): string {
  if (!('default' in option) || option.default === undefined) return ''
  return ` Default: \`${JSON.stringify(option.default)}\`.`
}

function needLines({ after, brings: broughtWith, identities }: Addon): string[] {
  const brings = broughtWith({ values: {}, managed_by: 'ichor', delivery: 'job' })
  return [
    ...(brings.length > 0 ? [`- Brings: ${list(brings)}.`] : []),
    ...(after.length > 0 ? [`- Comes after, where they are there: ${list(after)}.`] : []),
    ...identities.map(({ name, privileges, newerPrivileges = [] }) => {
      const newer = newerPrivileges.map(({ from, privilege }) => `, from Proxmox ${from} on \`${privilege}\``)
      return `- On Proxmox, a user \`${name}\` with ${list(privileges)}${newer.join('')}.`
    }),
  ]
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
