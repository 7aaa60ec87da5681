/** A part of something, of the parts of which only some are there; functions are whole or absent. */
type Part<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Part<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Part<T[Key]> | undefined }
      : T

/** A stand-in that has just what a test needs: what it has is of the right type, and the rest is missing. */
export function fake<T extends object>(parts: Part<T>): T {
  return parts as T
}
