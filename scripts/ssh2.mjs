import { build } from 'esbuild'

/** An esbuild plugin: ssh2 without its compiled parts. It asks for them and goes on with what Node has. */
export const withoutNativeParts = {
  name: 'without-native-parts',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^cpu-features$|\.node$/ }, ({ path }) => ({ path, namespace: 'native-part' }))
    onLoad({ filter: /.*/, namespace: 'native-part' }, () => ({ contents: "throw new Error('not a part of ichor')" }))
  },
}

/** An esbuild plugin: ssh2 is CommonJS, which an ES module cannot contain, and is loaded from the file beside the chunks. */
export const ssh2Beside = {
  name: 'ssh2-beside',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^ssh2$/ }, ({ path }) => ({ path, namespace: 'beside' }))
    onLoad({ filter: /.*/, namespace: 'beside' }, () => ({
      contents: `
        import { createRequire } from 'node:module'
        export default createRequire(import.meta.url)('./ssh2.cjs')`,
    }))
  },
}

export async function buildSsh2(outdir) {
  const { metafile } = await build({
    entryPoints: [{ in: 'ssh2', out: 'ssh2' }],
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    plugins: [withoutNativeParts],
    metafile: true,
    logLevel: 'warning',
  })
  return metafile
}
