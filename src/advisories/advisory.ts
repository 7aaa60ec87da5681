import { z } from 'zod'
import { allowsVersion } from '../cluster/version-constraint.js'

const zero = { major: 0, minor: 0, patch: 0 }

/** `>=1.13.8 <1.14`. */
const constraint = z.string().refine((text) => allowsVersion(text, zero) !== undefined, 'is not a range of versions')

const versions = {
  talos: constraint.exactOptional(),
  kubernetes: constraint.exactOptional(),
  proxmox: constraint.exactOptional(),
  /** Versions of addons by name; all of them. */
  addon: z.record(z.string(), constraint).exactOptional(),
}

const scalar = z.union([z.string(), z.number(), z.boolean()])
/** A value of the inventory: equal to this, different from it, or containing a text. */
const condition = z.union([scalar, z.strictObject({ not: scalar }), z.strictObject({ mentions: z.string().min(1) })])

const combination = z.strictObject({
  ...versions,
  /** Conditions on keys of the inventory, by path. */
  option: z.record(z.string(), condition).exactOptional(),
  /** Only a change from these versions is affected, not the combination itself. */
  from: z.strictObject(versions).exactOptional(),
})

const date = z.iso.date()

export const advisorySchema = z.strictObject({
  id: z.string().regex(/^(?!ICH\d)[a-z0-9][a-z0-9.-]*$/, 'is not an id such as talos-1.13.8-longhorn'),
  /** A sentence without its full stop. */
  title: z.string().min(1),
  /** Where it was reported. */
  source: z.array(z.url()).min(1),
  /** The day on which it became known. */
  since: date,
  /** The day from which on it no longer counts. */
  until: date.nullable(),
  /** One combination, or several of which one is enough. */
  affects: z.union([combination, z.array(combination).min(1)]),
  /** `block`: a plan that enters the combination is refused until it is accepted. */
  effect: z.enum(['block', 'warn']),
  /** Reported, and not confirmed by those who made it. */
  likely: z.literal(true).exactOptional(),
  way_out: z.string().min(1),
})

/** Versions and options that are known not to go together. */
export type Advisory = z.output<typeof advisorySchema>

export type AffectedCombination = z.output<typeof combination>
export type Condition = z.output<typeof condition>
