import { expect, test } from 'vitest'
import { parseDeprecatedApis } from './deprecated-apis.js'

test('deprecated APIs in use, and the release that removes them', () => {
  const metrics = `# HELP apiserver_requested_deprecated_apis [STABLE] Gauge of deprecated APIs that have been requested
# TYPE apiserver_requested_deprecated_apis gauge
apiserver_requested_deprecated_apis{group="flowcontrol.apiserver.k8s.io",removed_release="1.32",resource="flowschemas",subresource="",version="v1beta3"} 1
apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1
apiserver_requested_deprecated_apis{group="batch",removed_release="1.25",resource="cronjobs",subresource="",version="v1beta1"} 0
apiserver_request_total{code="200"} 7
`
  expect(parseDeprecatedApis(metrics)).toEqual([
    { name: 'flowcontrol.apiserver.k8s.io/v1beta3 flowschemas', removedIn: '1.32' },
    { name: 'v1 endpoints' },
  ])
})
