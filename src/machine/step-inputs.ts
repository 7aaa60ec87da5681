/** What a step writes, by name, as far as it is known: consent is given to these, not to a title. */
export interface StepInputs {
  /** Worked out when somebody compares. */
  known(): Readonly<Record<string, unknown>>
  /** Names of inputs that an earlier step brings, such as an endpoint that DHCP gives. */
  readonly pending?: readonly string[]
}
