import { z } from 'zod'
import type { AddonOption, AddonOptions, AddonRegistry, CommonSettings, ManifestReference } from './addon.js'
import { catalogue, type KnownAddon } from './catalogue.js'
import type { CustomAddonSettings } from './custom.js'

/** Value types that the inventory defines: ports, storages, secrets. */
export interface ValueKinds<Secret> {
  readonly port: z.ZodType<number>
  readonly storageName: z.ZodType<string>
  readonly secret: z.ZodType<Secret>
}

/** The resolved `addons` section: a key per wanted addon, with all its options. */
export type SettledAddons<Secret> = {
  readonly [Known in KnownAddon as Known['name']]?: CommonSettings & SettledOptions<Known['options'], Secret>
} & { readonly custom: readonly CustomAddonSettings[]; readonly registry?: AddonRegistry }

type SettledOptions<Options extends AddonOptions, Secret> = {
  readonly [Name in keyof Options as IsSettled<Options[Name]> extends true ? Name : never]: ValueOf<
    Options[Name],
    Secret
  >
} & {
  readonly [Name in keyof Options as IsSettled<Options[Name]> extends true ? never : Name]?: ValueOf<
    Options[Name],
    Secret
  >
}

/** Whether an option has a value even if the inventory does not set it. */
type IsSettled<Option extends AddonOption> = Option extends { kind: 'ports' } | { default: unknown } ? true : false

type ValueOf<Option extends AddonOption, Secret> = {
  text: string
  flag: boolean
  count: number
  ports: readonly number[]
  names: readonly string[]
  storage: string
  secret: Secret
}[Option['kind']]

const common = {
  version: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Version of chart or manifest. Default: the version that this ichor release was tested with.'),
  namespace: z.string().min(1).exactOptional().describe('Namespace.'),
  values: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Helm values, merged over those that Talos and Proxmox need.'),
  managed_by: z.enum(['ichor', 'gitops']).default('ichor').describe('`gitops`: installed once, then only watched.'),
  delivery: z
    .enum(['job', 'inline', 'helm'])
    .default('job')
    .describe(
      '`job`: by helm inside the cluster. `inline`: in the Talos config at first boot. `helm`: by the helm of this computer.',
    ),
}

/** A site without internet access provides charts, and the images that ichor itself runs. */
const registry = z.lazy(() =>
  z
    .strictObject({
      images: z
        .string()
        .refine((text) => /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._/-]+)?$/.test(text), {
          error: 'is not a registry path',
          params: { fix: 'Write host and path without a scheme, such as registry.example.com/mirror.' },
        })
        .exactOptional()
        .describe(
          'Where helm and the certificate approver come from, such as `registry.example.com/mirror`. Images of charts: see `talos.registries`.',
        ),
      charts: z
        .string()
        .refine((text) => /^(oci|https?):\/\/./.test(text), {
          error: 'is not a chart repository URL',
          params: { fix: 'Write oci://… or https://….' },
        })
        .exactOptional()
        .describe('Registry or repository that holds every chart, such as `oci://registry.example.com/charts`.'),
    })
    .describe('Mirrors for what is installed.'),
)

/** The `addons` section of the inventory, generated from the catalogue. */
export function createAddonsSchema<Secret>(kinds: ValueKinds<Secret>) {
  const known = Object.fromEntries(
    catalogue.map((addon) => [addon.name, addonSchema(addon.summary, () => optionSchemas(addon.options, kinds))]),
  )
  const schema = z
    .strictObject({
      ...known,
      custom: z.array(custom).default([]).describe('Any other chart or manifest.'),
      registry: registry.exactOptional(),
    })
    .prefault({})
    .describe('What is installed into the cluster.')
  // The catalogue is data, so its types are declared, not inferred.
  return schema as unknown as z.ZodType<SettledAddons<Secret>>
}

/** `true`, or a mapping of options, whose schema is made for an addon that is in the inventory. */
function addonSchema(summary: string, options: () => z.ZodRawShape) {
  const mapping = z.lazy(() => z.strictObject({ ...common, ...options() }))
  return z
    .union([z.boolean(), mapping])
    .transform((value) => (value === false ? undefined : value === true ? mapping.parse({}) : value))
    .exactOptional()
    .describe(summary)
}

function optionSchemas(options: AddonOptions, kinds: ValueKinds<unknown>): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, optionSchema(option, kinds).describe(option.help)]),
  )
}

function optionSchema(option: AddonOption, kinds: ValueKinds<unknown>): z.ZodType {
  switch (option.kind) {
    case 'text': {
      const text = z.string().min(1)
      return option.default === undefined ? text.exactOptional() : text.default(option.default)
    }
    case 'flag':
      return z.boolean().default(option.default)
    case 'count':
      return z.int().min(1).max(option.max).default(option.default)
    case 'ports':
      return z.array(kinds.port).default([])
    case 'names':
      return z.array(z.string().min(1)).default([...option.default])
    case 'storage':
      return kinds.storageName.exactOptional()
    case 'secret':
      return kinds.secret.exactOptional()
  }
}

const chart = z.lazy(() =>
  z.strictObject({
    repository: z.string().min(1).describe('Helm repository or `oci://` address.'),
    name: z.string().min(1).describe('Name of the chart.'),
    version: z.string().min(1).describe('Version of the chart.'),
  }),
)

/** A URL or path, optionally with its hash. */
const manifest = z.union([
  z
    .string()
    .min(1)
    .transform((source): ManifestReference => ({ source })),
  z.strictObject({
    source: z.string().min(1).describe('Address or path.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, { error: 'is not a SHA-256 in hex' })
      .exactOptional()
      .describe('SHA-256 of the file.'),
  }),
])

/** An addon that is not in the catalogue: one of chart, manifests, inline or kustomize. */
const custom = z.lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).describe('Name, for plan, status and health.'),
      namespace: z.string().min(1).default('default').describe('Namespace.'),
      chart: chart.exactOptional().describe('A Helm chart.'),
      values: z.record(z.string(), z.unknown()).default({}).describe('Values of the chart.'),
      manifests: z
        .array(manifest)
        .exactOptional()
        .describe('Addresses or paths of manifests; `{source, sha256}` for one that must not change.'),
      inline: z.string().min(1).exactOptional().describe('Manifests in place.'),
      kustomize: z.string().min(1).exactOptional().describe('Path of the output of Kustomize.'),
      after: z.array(z.string().min(1)).default([]).describe('Addons that must be healthy first.'),
      managed_by: common.managed_by,
      delivery: common.delivery,
    })
    .refine((value) => [value.chart, value.manifests, value.inline, value.kustomize].filter(Boolean).length === 1, {
      error: 'needs exactly one of chart, manifests, inline and kustomize',
      params: { fix: 'Keep one of chart, manifests, inline and kustomize.' },
    })
    .describe('Any other chart or manifest.'),
)
