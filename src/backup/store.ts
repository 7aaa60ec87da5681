/** One object of a store, as its listing shows it. */
export interface StoredObject {
  readonly name: string
  readonly size: number
  /** When it was written, in milliseconds since 1970. */
  readonly modified: number
}

/** A finished local file that will be stored. */
export interface SpooledFile {
  readonly path: string
  readonly size: number
  /** Hex, of the whole file. */
  readonly sha256: string
}

/** An object as a local file; `release` removes it if it is a copy. */
export interface LocalObject {
  readonly path: string
  release(): Promise<void>
}

/** Where snapshots are stored. An object is stored completely or not at all. Failures are `BackupError`s. */
export interface SnapshotStore {
  /** For messages: a folder or `s3://bucket/prefix`. */
  readonly location: string
  /** Where a file is written before it is stored; created if needed. */
  spoolFolder(): Promise<string>
  list(signal: AbortSignal): Promise<StoredObject[]>
  /** The file may be moved: it belongs to the store afterwards. */
  putFile(name: string, file: SpooledFile, signal: AbortSignal): Promise<void>
  /** Fails if `mustBeNew` and the name exists. */
  putText(name: string, text: string, options: { readonly mustBeNew: boolean }, signal: AbortSignal): Promise<void>
  read(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  open(name: string, signal: AbortSignal): Promise<LocalObject>
  /** Does nothing if it does not exist. */
  remove(name: string, signal: AbortSignal): Promise<void>
  /** Removes partial writes of killed runs that started before that time. They were never listed. */
  removeUnfinished(before: number, signal: AbortSignal): Promise<void>
}

/** The contents of a small object. */
export async function readText(store: SnapshotStore, name: string, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of store.read(name, signal)) parts.push(part)
  return Buffer.concat(parts).toString()
}
