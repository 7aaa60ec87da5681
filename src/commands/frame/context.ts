/** What a command may know about its process; tests pass in their own. */
export interface Context {
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly signal: AbortSignal
  /** How the user calls the program, for a `fix`: `ichor`, or the whole `node dist/bin.js`. */
  readonly program: string
}

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  /** Current also while the process handles no signal of a resize. */
  getWindowSize?(): [columns: number, rows: number]
}
