/** What a step writes, by name, as far as known: consent covers these inputs, not the title. */
export interface StepInputs {
  /** Computed when compared. */
  known(): Readonly<Record<string, unknown>>
  /** Names of inputs that an earlier step provides, such as an endpoint that DHCP assigns. */
  readonly pending?: readonly string[]
}
