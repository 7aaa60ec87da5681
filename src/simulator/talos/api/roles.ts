const reader = ['os:reader', 'os:operator', 'os:admin']
const operator = ['os:operator', 'os:admin']
const etcdReader = [...reader, 'os:etcd:backup']

/** The role for each method; a method that is not listed is for admins. */
const rules: Readonly<Record<string, readonly string[]>> = {
  ...perMethod('machine.MachineService', reader, [
    'Version',
    'ServiceList',
    'Events',
    'Logs',
    'Dmesg',
    'LogsContainers',
    'Hostname',
    'Memory',
    'LoadAvg',
    'SystemStat',
    'Mounts',
    'ImageList',
    'CPUInfo',
    'CPUFreqStats',
    'Containers',
    'DiskStats',
    'DiskUsage',
    'List',
    'NetworkDeviceStats',
    'Netstat',
    'Processes',
    'Stats',
  ]),
  ...perMethod('machine.MachineService', operator, [
    'ServiceStart',
    'ServiceStop',
    'ServiceRestart',
    'Reboot',
    'Shutdown',
    'EtcdAlarmDisarm',
    'EtcdDefragment',
    'ImagePull',
    'PacketCapture',
    'Restart',
  ]),
  ...perMethod('machine.MachineService', etcdReader, ['EtcdMemberList', 'EtcdStatus', 'EtcdAlarmList']),
  ...perMethod('machine.MachineService', [...operator, 'os:etcd:backup'], ['EtcdSnapshot']),
  ...perMethod('machine.MachineService', ['os:admin', 'os:meta:writer'], ['MetaWrite', 'MetaDelete']),
  ...perMethod('machine.ImageService', reader, ['List']),
  ...perMethod('machine.ImageService', operator, ['Pull']),
  ...perMethod('machine.ImageService', [...reader, 'os:image:verifier'], ['Verify']),
  ...perMethod('cluster.ClusterService', reader, ['HealthCheck']),
  ...perMethod('inspect.InspectService', reader, ['ControllerRuntimeDependencies']),
  ...perMethod('storage.StorageService', reader, ['Disks']),
  ...perMethod('time.TimeService', reader, ['Time', 'TimeCheck']),
  ...perMethod('cosi.resource.State', reader, ['Get', 'List', 'Watch']),
}

/** Methods that a node in maintenance also opens to readers. */
const openInMaintenance = ['/machine.MachineService/ApplyConfiguration', '/storage.StorageService/BlockDeviceWipe']

export function mayCall(path: string, roles: ReadonlySet<string>, mode: 'maintenance' | 'secured'): boolean {
  if (mode === 'maintenance' && openInMaintenance.includes(path)) return true
  return (rules[path] ?? ['os:admin']).some((role) => roles.has(role))
}

/** The maintenance server up to 1.12 had only these. */
export function isServedByOldMaintenance(path: string): boolean {
  return (
    [...openInMaintenance, '/storage.StorageService/Disks'].includes(path) || path.startsWith('/cosi.resource.State/')
  )
}

const mutating = new Set([
  'ApplyConfiguration',
  'Bootstrap',
  'ServiceStart',
  'ServiceStop',
  'ServiceRestart',
  'Reboot',
  'Shutdown',
  'Reset',
  'Rollback',
  'Upgrade',
  'Install',
  'EtcdRecover',
  'EtcdLeaveCluster',
  'EtcdForfeitLeadership',
  'EtcdRemoveMemberByID',
  'EtcdDowngradeEnable',
  'EtcdDowngradeCancel',
  'EtcdAlarmDisarm',
  'EtcdDefragment',
  'MetaWrite',
  'MetaDelete',
  'ImagePull',
  'Pull',
  'Remove',
  'BlockDeviceWipe',
])

export function isMutating(method: string): boolean {
  return mutating.has(method)
}

function perMethod(service: string, roles: readonly string[], methods: readonly string[]) {
  return Object.fromEntries(methods.map((method) => [`/${service}/${method}`, roles]))
}
