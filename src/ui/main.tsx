import { render } from 'preact'
import type { ExportedPage } from '../page/state.js'
import { exportedSource } from './data/exported-source.js'
import { liveSource } from './data/live-source.js'
import { keepAsking } from './data/store.js'
import { Page } from './page.js'

const exported = document.getElementById('exported')?.textContent
const source = exported ? exportedSource(JSON.parse(exported) as ExportedPage) : liveSource(takeToken())
const root = document.getElementById('page')
keepAsking(source)
if (root !== null) render(<Page source={source} />, root)

/** From the fragment, which no request carries, into memory: it leaves the address and the history. */
function takeToken(): string {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1] ?? ''
  if (token !== '') history.replaceState(null, '', '/#/estate/0')
  return token
}
