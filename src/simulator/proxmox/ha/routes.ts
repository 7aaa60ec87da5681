import type { Routes } from '../http/call.js'
import { haGroupRoutes } from './groups.js'
import { haResourceRoutes } from './resources.js'
import { haRuleRoutes } from './rules.js'
import { haStatusRoutes } from './status.js'

/** High availability; moves have separate routes. */
export const haRoutes: Routes = {
  'GET /cluster/ha': ({ datacenter }) =>
    ['status', 'resources', 'groups', ...(datacenter.pve === 9 ? ['rules'] : [])].map((id) => ({ id })),
  ...haResourceRoutes,
  ...haGroupRoutes,
  ...haRuleRoutes,
  ...haStatusRoutes,
}
