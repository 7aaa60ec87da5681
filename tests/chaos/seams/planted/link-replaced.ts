import {
  type DurableWrite,
  replaceDurably as really,
  writeDurably as reallyWritten,
} from '../../../../src/durable-file.js'

export * from '../../../../src/durable-file.js'

/** A file takes the place of the link that leads to it. */
export const writeDurably: typeof reallyWritten = (path, text, options) =>
  reallyWritten(path, text, withoutLink(options))

export const replaceDurably: typeof really = (path, write, options) => really(path, write, withoutLink(options))

function withoutLink(options: DurableWrite = {}): DurableWrite {
  return { ...options, followsLink: false }
}
