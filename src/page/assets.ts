import { existsSync, readFileSync } from 'node:fs'

/** What the browser loads: built from src/ui. */
export interface PageAssets {
  readonly script: string
  readonly style: string
}

/** Set in a single executable, which has no files beside it. */
declare const ICHOR_PAGE: PageAssets | undefined

/** From the built program, or in a checkout what was built last. */
export function pageAssets(): PageAssets {
  if (typeof ICHOR_PAGE === 'object') return ICHOR_PAGE
  const read = (name: string) => readFileSync(find(name), 'utf8')
  return { script: read('page.js'), style: read('page.css') }
}

function find(name: string): URL {
  for (const above of ['./ui/', '../ui/', '../dist/ui/', '../../dist/ui/']) {
    const file = new URL(above + name, import.meta.url)
    if (existsSync(file)) return file
  }
  throw new Error(`${name} of the page is not built: run npm run build`)
}

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#c98a12" d="M16 2c6 8 10 12 10 18a10 10 0 0 1-20 0C6 14 10 10 16 2z"/></svg>'

export const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>ichor</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/page.css">
<body>
<noscript>This page needs JavaScript. ichor status shows the same in a terminal.</noscript>
<div id="page"></div>
<script type="module" src="/page.js"></script>
</html>
`
