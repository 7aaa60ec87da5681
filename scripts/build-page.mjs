import { build } from 'esbuild'

/** Bundles what `ichor ui` gives a browser: page.js and page.css. Returns what is inside. */
export async function buildPage(outdir) {
  const { metafile } = await build({
    entryPoints: { page: 'src/ui/main.tsx' },
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    // The first that know light-dark(): Chrome 123, Firefox 120, Safari 17.5.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  await build({
    entryPoints: { page: 'src/ui/page.css' },
    outdir,
    bundle: true,
    minify: true,
    target: 'chrome123',
    logLevel: 'warning',
  })
  return metafile
}
