const vmPrivileges = [
  'VM.Allocate',
  'VM.Audit',
  'VM.Backup',
  'VM.Clone',
  'VM.Config.CDROM',
  'VM.Config.CPU',
  'VM.Config.Cloudinit',
  'VM.Config.Disk',
  'VM.Config.HWType',
  'VM.Config.Memory',
  'VM.Config.Network',
  'VM.Config.Options',
  'VM.Console',
  'VM.Migrate',
  'VM.PowerMgmt',
  'VM.Snapshot',
  'VM.Snapshot.Rollback',
]
const onlyInEight = ['VM.Monitor']
const onlyInNine = [
  'VM.GuestAgent.Audit',
  'VM.GuestAgent.FileRead',
  'VM.GuestAgent.FileSystemMgmt',
  'VM.GuestAgent.FileWrite',
  'VM.GuestAgent.Unrestricted',
  'VM.Replicate',
]
const others = [
  'Datastore.Allocate',
  'Datastore.AllocateSpace',
  'Datastore.AllocateTemplate',
  'Datastore.Audit',
  'Group.Allocate',
  'Mapping.Audit',
  'Mapping.Modify',
  'Mapping.Use',
  'Permissions.Modify',
  'Pool.Allocate',
  'Pool.Audit',
  'Realm.Allocate',
  'Realm.AllocateUser',
  'SDN.Allocate',
  'SDN.Audit',
  'SDN.Use',
  'Sys.AccessNetwork',
  'Sys.Audit',
  'Sys.Console',
  'Sys.Incoming',
  'Sys.Modify',
  'Sys.PowerMgmt',
  'Sys.Syslog',
  'User.Modify',
]

/** All privileges of this version. */
export function privilegesOf(pve: 8 | 9): readonly string[] {
  return [...vmPrivileges, ...(pve === 8 ? onlyInEight : onlyInNine), ...others].sort()
}

const reservedForRoot = [
  'Mapping.Modify',
  'Permissions.Modify',
  'Realm.Allocate',
  'Sys.Modify',
  'Sys.PowerMgmt',
  'Sys.Incoming',
  'Sys.AccessNetwork',
]

/** The built-in roles: they cannot be changed, and their names are reserved. */
export function builtInRoles(pve: 8 | 9): Record<string, readonly string[]> {
  const all = privilegesOf(pve)
  const area = (...prefixes: string[]) => all.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
  const agentAudit = pve === 9 ? ['VM.GuestAgent.Audit'] : []
  return {
    Administrator: all,
    NoAccess: [],
    PVEAdmin: all.filter((name) => !reservedForRoot.includes(name)),
    PVEAuditor: [
      'Datastore.Audit',
      'Mapping.Audit',
      'Pool.Audit',
      'SDN.Audit',
      'Sys.Audit',
      'VM.Audit',
      ...agentAudit,
    ].sort(),
    PVEDatastoreAdmin: area('Datastore.'),
    PVEDatastoreUser: ['Datastore.AllocateSpace', 'Datastore.Audit'],
    PVEMappingAdmin: area('Mapping.'),
    PVEMappingUser: ['Mapping.Audit', 'Mapping.Use'],
    PVEPoolAdmin: area('Pool.'),
    PVEPoolUser: ['Pool.Audit'],
    PVESDNAdmin: area('SDN.'),
    PVESDNUser: ['SDN.Audit', 'SDN.Use'],
    PVESysAdmin: ['Sys.Audit', 'Sys.Console', 'Sys.Syslog'],
    PVETemplateUser: ['VM.Audit', 'VM.Clone'],
    PVEUserAdmin: ['Group.Allocate', 'Realm.AllocateUser', 'User.Modify'],
    PVEVMAdmin: area('VM.'),
    PVEVMUser: [
      'VM.Audit',
      'VM.Backup',
      'VM.Config.CDROM',
      'VM.Config.Cloudinit',
      'VM.Console',
      'VM.PowerMgmt',
      ...(pve === 9
        ? ['VM.GuestAgent.Audit', 'VM.GuestAgent.FileRead', 'VM.GuestAgent.FileSystemMgmt', 'VM.GuestAgent.FileWrite']
        : []),
    ].sort(),
  }
}
