/** What a command may know of the process it runs in; tests hand in their own. */
export interface Context {
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly signal: AbortSignal
  /** What a `fix` should tell the user to type: `ichor`, or the whole `node dist/bin.js`. */
  readonly program: string
}

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}
