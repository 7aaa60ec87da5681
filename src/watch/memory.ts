import { z } from 'zod'
import type { WatchEvent } from './watch-event.js'

const header = z.looseObject({ type: z.string(), at: z.string(), cluster: z.string(), severity: z.string() })
/** As it was written: only ichor writes this file. */
const event = z.custom<WatchEvent>((value) => header.safeParse(value).success)

const memory = z.object({
  version: z.literal(1),
  cluster: z.string(),
  /** By the clock of this computer: the newest of several files counts. */
  writtenAt: z.number().optional(),
  /** When it was last looked at as a whole, in milliseconds since 1970. */
  seenAt: z.number().optional(),
  /** Why it could not be looked at in the last pass. */
  unseen: z.string().optional(),
  /** Why its inventory could not be used in the last pass. */
  refused: z.string().optional(),
  /** Machines of the last inventory that could be used. */
  machines: z.array(z.string()),
  /** Findings that were reported and are not over. */
  findings: z.array(
    z.object({
      code: z.string(),
      subject: z.string(),
      title: z.string(),
      severity: z.enum(['blocks', 'warns', 'info']),
    }),
  ),
  plan: z
    .object({
      digest: z.string(),
      since: z.number(),
      steps: z.array(z.object({ id: z.string(), title: z.string(), digest: z.string().nullable() })).optional(),
    })
    .optional(),
  /** Of a watch that may act. */
  acting: z
    .object({
      isOpen: z.boolean(),
      /** Seal of the approval that was reported. */
      approval: z.string().optional(),
      /** Why it was not carried out, as reported. */
      problem: z.string().optional(),
    })
    .optional(),
  /** Events that a webhook did not take yet, by a name that does not reveal its address. */
  queues: z.record(z.string(), z.array(event)),
  /** Events of passes in which it was not known which webhooks there are. */
  unassigned: z.array(event).default([]),
})

/** What was seen and reported of a cluster until now: without it, a restart would report everything again. */
export type Memory = z.infer<typeof memory>

export function emptyMemory(cluster: string): Memory {
  return { version: 1, cluster, machines: [], findings: [], queues: {}, unassigned: [] }
}

/** `undefined` for a text that holds none: then everything is reported again, which is safe. */
export function parseMemory(text: string): Memory | undefined {
  try {
    const parsed = memory.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
