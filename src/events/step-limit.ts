/** At most `limit` of the steps that share this name run at once. */
export interface StepLimit {
  readonly name: string
  readonly limit: number
}
