import type { ConfigObject } from './config-value.js'
import type { TalosCluster } from './talos-machine.js'

/** API server flags for user tokens of an identity provider; `undefined` if there is none. */
export function oidcArgs({ oidc }: TalosCluster): Readonly<Record<string, string>> {
  if (oidc === undefined) return {}
  return {
    'oidc-issuer-url': oidc.issuer,
    'oidc-client-id': oidc.clientId,
    'oidc-username-claim': oidc.usernameClaim,
    'oidc-username-prefix': oidc.usernamePrefix,
    'oidc-groups-claim': oidc.groupsClaim,
    'oidc-groups-prefix': oidc.groupsPrefix,
  }
}

/** The same for an API server with an authentication file, which excludes the flags. */
export function oidcIssuers({ oidc }: TalosCluster): ConfigObject[] {
  if (oidc === undefined) return []
  return [
    {
      issuer: { url: oidc.issuer, audiences: [oidc.clientId] },
      claimMappings: {
        username: { claim: oidc.usernameClaim, prefix: oidc.usernamePrefix },
        groups: { claim: oidc.groupsClaim, prefix: oidc.groupsPrefix },
      },
    },
  ]
}
