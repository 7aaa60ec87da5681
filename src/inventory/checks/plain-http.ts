import { hostOf, isPlainHttp } from '../../cluster/plain-http.js'
import type { Complaint } from '../complaint.js'
import type { Path } from '../path.js'
import type { CheckInput } from './check.js'

/** Everything that a cluster is built from is downloaded over TLS, unless the user names the host without TLS. */
export function* checkPlainHttp({ settings }: CheckInput): Iterable<Complaint> {
  for (const { address, path, what } of addressesOf(settings)) {
    if (!isPlainHttp(address) || settings.allow_http.includes(hostOf(address))) continue
    yield {
      path,
      message: `${what} over unencrypted http: ${address}.`,
      fix: `Use https, or add ${hostOf(address)} to allow_http if you trust the network in between.`,
    }
  }
}

function* addressesOf({
  talos,
  addons,
  backup,
  roll,
}: CheckInput['settings']): Iterable<{ address: string; path: Path; what: string }> {
  yield { address: talos.factory_url, path: ['talos', 'factory_url'], what: 'Images would be downloaded' }
  if (backup.etcd.endpoint !== undefined)
    yield { address: backup.etcd.endpoint, path: ['backup', 'etcd', 'endpoint'], what: 'Snapshots would be downloaded' }
  const what = 'The check of a roll would be read'
  if (roll.check !== undefined && 'url' in roll.check)
    yield { address: roll.check.url, path: ['roll', 'check', 'url'], what }
  for (const [index, check] of roll.checks.entries())
    if ('url' in check) yield { address: check.url, path: ['roll', 'checks', index, 'url'], what }
  const charts = addons.registry?.charts
  if (charts !== undefined)
    yield { address: charts, path: ['addons', 'registry', 'charts'], what: 'Charts would be downloaded' }
  for (const [index, { chart, manifests = [] }] of addons.custom.entries()) {
    const at: Path = ['addons', 'custom', index]
    if (chart !== undefined) {
      yield { address: chart.repository, path: [...at, 'chart', 'repository'], what: 'The chart would be downloaded' }
    }
    for (const [place, { source, sha256 }] of manifests.entries()) {
      if (sha256 === undefined)
        yield { address: source, path: [...at, 'manifests', place], what: 'The manifest would be downloaded' }
    }
  }
}
