/** One object of a store, as its listing shows it. */
export interface StoredObject {
  readonly name: string
  readonly size: number
  /** When it was written, in milliseconds since 1970. */
  readonly modified: number
}

/** A finished file on this computer that is to be stored. */
export interface SpooledFile {
  readonly path: string
  readonly size: number
  /** Hex, of the whole file. */
  readonly sha256: string
}

/** An object as a file on this computer; `release` removes it when it is a copy. */
export interface LocalObject {
  readonly path: string
  release(): Promise<void>
}

/** Where snapshots are kept. An object is there whole or not at all. Failures are `BackupError`s. */
export interface SnapshotStore {
  /** For people: a folder or `s3://bucket/prefix`. */
  readonly location: string
  /** Where a file is written before it is stored; made if it is not there. */
  spoolFolder(): Promise<string>
  list(signal: AbortSignal): Promise<StoredObject[]>
  /** The file may be moved: it belongs to the store afterwards. */
  putFile(name: string, file: SpooledFile, signal: AbortSignal): Promise<void>
  /** Fails when `mustBeNew` and there is one of that name. */
  putText(name: string, text: string, options: { readonly mustBeNew: boolean }, signal: AbortSignal): Promise<void>
  read(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  open(name: string, signal: AbortSignal): Promise<LocalObject>
  /** Nothing happens when it is gone already. */
  remove(name: string, signal: AbortSignal): Promise<void>
  /** What killed runs left behind half-written, begun before that time. It was never listed. */
  removeUnfinished(before: number, signal: AbortSignal): Promise<void>
}

/** The whole of a small object. */
export async function readText(store: SnapshotStore, name: string, signal: AbortSignal): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of store.read(name, signal)) parts.push(part)
  return Buffer.concat(parts).toString()
}
