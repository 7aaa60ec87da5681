import { createHash } from 'node:crypto'
import type { PageAssets } from './assets.js'
import type { ExportedPage } from './state.js'

/** The page as one file: it loads nothing, and its policy lets nothing run but the script that came with ichor. */
export function exportedHtml(page: ExportedPage, { script, style }: PageAssets): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  // An end tag in a script would end it for the browser, too.
  const code = script.replaceAll('</script', '<\\/script')
  const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`
  const data = JSON.stringify(page).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>ichor</title>
<style>${style}</style>
<body>
<div id="page"></div>
<script type="application/json" id="exported">${data}</script>
<script type="module">${code}</script>
</html>
`
}
