import { readFileSync } from 'node:fs'

/**
 * An esbuild plugin: `@peculiar/x509` brings reflect-metadata with it, in the same chunk and in front. Imported beside it, it could be
 * evaluated too late: as CommonJS after everything else, and in a chunk of its own in any order.
 */
export const reflectFirst = {
  name: 'reflect-first',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /\/@peculiar\/x509\/build\/x509\.es\.js$/ }, ({ path }) => ({
      contents: `import 'reflect-metadata'\n${readFileSync(path, 'utf8')}`,
    }))
    onLoad({ filter: /\/reflect-metadata\/Reflect\.js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\nexport {}`,
    }))
    onResolve({ filter: /^reflect-metadata$/ }, ({ path, importer }) =>
      /\/x509\.es\.js$/.test(importer) ? undefined : { path, namespace: 'in-x509' },
    )
    onLoad({ filter: /.*/, namespace: 'in-x509' }, () => ({ contents: 'export {}' }))
  },
}
