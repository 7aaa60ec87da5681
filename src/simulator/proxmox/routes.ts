import { groupRoutes } from './access/groups.js'
import { poolRoutes } from './access/pools.js'
import { rightsRoutes } from './access/rights.js'
import { ticketRoutes } from './access/ticket.js'
import { userRoutes } from './access/users.js'
import { clusterRoutes } from './cluster/cluster.js'
import { cpuModelRoutes } from './cluster/cpu-models.js'
import { jobsRoutes } from './cluster/jobs.js'
import { logRoutes } from './cluster/log.js'
import { metricRoutes } from './cluster/metrics.js'
import { nodeDetailRoutes } from './cluster/node-details.js'
import { nodeRoutes } from './cluster/nodes.js'
import { resourceRoutes } from './cluster/resources.js'
import { sdnRoutes } from './cluster/sdn.js'
import { stagedNetworkRoutes } from './cluster/staged-network.js'
import { versionRoutes } from './cluster/version.js'
import { vzdumpRoutes } from './cluster/vzdump.js'
import { withNotice } from './firewall/notice.js'
import { firewallRoutes } from './firewall/objects.js'
import { firewallRuleRoutes } from './firewall/rules.js'
import { haMoveRoutes } from './ha/moves.js'
import { haRoutes } from './ha/routes.js'
import type { Routes } from './http/call.js'
import { storageConfigRoutes } from './storage/config.js'
import { contentRoutes } from './storage/content.js'
import { downloadRoutes } from './storage/download.js'
import { storageStatusRoutes } from './storage/status.js'
import { thinPoolRoutes } from './storage/thin-pools.js'
import { uploadRoutes } from './storage/upload.js'
import { taskRoutes } from './tasks-routes.js'
import { agentRoutes } from './vm/agent.js'
import { cloneRoutes } from './vm/clone.js'
import { cloudInitRoutes } from './vm/cloud-init-routes.js'
import { configRoutes } from './vm/config-routes.js'
import { consoleRoutes } from './vm/console.js'
import { destroyRoutes } from './vm/destroy.js'
import { migrateRoutes } from './vm/migrate.js'
import { moveDiskRoutes } from './vm/move-disk.js'
import { powerRoutes } from './vm/power.js'
import { resizeRoutes } from './vm/resize.js'
import { snapshotRoutes } from './vm/snapshot.js'
import { statusRoutes } from './vm/status.js'
import { templateRoutes } from './vm/template.js'

/** All routes of the lab. */
export const routes: Routes = {
  ...versionRoutes,
  ...clusterRoutes,
  ...logRoutes,
  ...resourceRoutes,
  ...metricRoutes,
  ...nodeRoutes,
  ...nodeDetailRoutes,
  ...stagedNetworkRoutes,
  ...cpuModelRoutes,
  ...haRoutes,
  ...sdnRoutes,
  ...jobsRoutes,
  ...vzdumpRoutes,
  ...withNotice({ ...firewallRoutes, ...firewallRuleRoutes }),
  ...taskRoutes,
  ...ticketRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...rightsRoutes,
  ...poolRoutes,
  ...storageConfigRoutes,
  ...storageStatusRoutes,
  ...thinPoolRoutes,
  ...contentRoutes,
  ...uploadRoutes,
  ...downloadRoutes,
  ...configRoutes,
  ...statusRoutes,
  ...powerRoutes,
  ...destroyRoutes,
  ...resizeRoutes,
  ...moveDiskRoutes,
  ...cloneRoutes,
  ...cloudInitRoutes,
  ...templateRoutes,
  ...snapshotRoutes,
  ...migrateRoutes,
  ...haMoveRoutes,
  ...agentRoutes,
  ...consoleRoutes,
}
