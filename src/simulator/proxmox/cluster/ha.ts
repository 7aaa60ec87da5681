import type { Routes } from '../http/call.js'
import { haGroupRoutes } from './ha-groups.js'
import { haResourceRoutes } from './ha-resources.js'
import { haRuleRoutes } from './ha-rules.js'
import { haStatusRoutes } from './ha-status.js'

/** High availability; moves have separate routes. */
export const haRoutes: Routes = {
  'GET /cluster/ha': ({ datacentre }) =>
    ['status', 'resources', 'groups', ...(datacentre.pve === 9 ? ['rules'] : [])].map((id) => ({ id })),
  ...haResourceRoutes,
  ...haGroupRoutes,
  ...haRuleRoutes,
  ...haStatusRoutes,
}
