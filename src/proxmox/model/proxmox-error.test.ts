import { expect, test } from 'vitest'
import type { ProxmoxErrorKind } from './error-rule.js'
import { ProxmoxError } from './proxmox-error.js'

const failed = (status: number, reason: string, errors?: Record<string, string>) =>
  new ProxmoxError({
    method: 'POST',
    path: '/nodes/pve1/qemu',
    endpoint: 'pve1:8006',
    status,
    reason,
    outcome: 'failed',
    ...(errors ? { errors } : {}),
  })

test.each<[number, string, ProxmoxErrorKind]>([
  [500, "unable to create VM 100 - VM 100 already exists on node 'pve2'", 'vmid-taken'],
  [500, 'unable to create VM 200: config file already exists', 'vmid-taken'],
  [200, "close (rename) atomic file '/etc/pve/nodes/pve1/qemu-server/200.conf' failed: File exists", 'vmid-taken'],
  [500, 'checksum mismatch (file change by other user?)', 'changed'],
  [500, 'update storage failed: detected modified configuration - file changed by other user? Try again.', 'changed'],
  [200, "checksum mismatch: got 'aa' != expect 'bb', aborting", 'checksum'],
  [500, 'cluster not ready - no quorum?', 'no-quorum'],
  [500, "cfs-lock 'file-user_cfg' error: no quorum!", 'no-quorum'],
  [500, "cfs-lock 'storage-nfs1' error: got lock request timeout", 'busy'],
  [500, "can't lock file '/var/lock/qemu-server/lock-142.conf' - got timeout", 'busy'],
  [200, 'VM is locked (backup)', 'locked'],
  [200, "unable to create VM 1 - lvcreate 'pve/vm-1-disk-0' error:   insufficient", 'storage-full'],
  [200, 'qemu-img: error: No space left on device', 'storage-full'],
  [500, "storage 'off' is disabled", 'storage-unfit'],
  [500, "storage 'vmdata' is not configured for content-type 'iso'", 'storage-unfit'],
  [400, "local:iso/x.img has wrong type 'iso' - needs to be 'images' or 'import'", 'storage-unfit'],
  [403, 'Permission check failed (/vms/100, VM.Config.Disk)', 'forbidden'],
  [200, 'unable to create VM 100 - 403 Permission check failed (/vms/100, VM.Config.Options)', 'forbidden'],
  [403, "Permission check failed (/, Sys.Modify for modifying tag 'prod')", 'forbidden-tag'],
  [500, "only root can set 'args' config", 'root-only'],
  [403, 'Permission check failed (user != root@pam)', 'root-only'],
  [401, "no such token 'x' for user 'ichor@pve'", 'unauthenticated'],
  [500, "can't remove VM 100 - protection mode enabled", 'protected'],
  [500, 'VM 100 is running - destroy failed', 'running'],
  [200, "base volume 'local:base-9-disk-0' is still in use by linked cloned", 'base-in-use'],
  [200, 'unexpected status', 'worker-died'],
  [500, "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist", 'no-vm'],
  [500, "unable to find configuration file for VM 999 on node 'pve1'", 'no-vm'],
  [500, "hostname lookup 'ghost' failed - failed to get address info", 'no-host'],
  [500, "pool 'ghost' does not exist", 'absent'],
  [500, "create pool failed: pool 'x' already exists", 'exists'],
  [500, "cannot delete service 'vm:101', not HA managed!", 'absent'],
  [500, 'QEMU guest agent is not running', 'agent'],
  [500, "VM 100 qmp command 'guest-network-get-interfaces' failed - got timeout", 'busy'],
  [501, "Method 'GET /foo' not implemented", 'unknown-call'],
  [595, 'No route to host', 'host-down'],
  [596, 'Connection timed out', 'timed-out'],
  [500, 'something that nobody has seen yet', 'other'],
])('%i %s means %s', (status, reason, kind) => {
  const error = failed(status, reason)
  expect(error.kind).toBe(kind)
  expect(error.message).toContain(reason)
  expect(error.fix).toMatch(/^[A-Z].*[.!]$/)
})

test('an error reads as problem, where and fix, with the names in it', () => {
  const error = failed(500, "unable to create VM 2001 - VM 2001 already exists on node 'pve2'")
  expect(error.message).toMatch(/^VMID 2001 is in use by a guest on pve2\. POST \/nodes\/pve1\/qemu gave 500: unable/)
  expect(error.where).toBe('POST /nodes/pve1/qemu at pve1:8006')
  expect(error.exitCode).toBe(1)
})

test('a refused value is named with its parameter', () => {
  const error = failed(400, 'Parameter verification failed.', {
    name: 'invalid format - value does not look like a valid DNS name',
  })
  expect(error.kind).toBe('invalid')
  expect(error.message).toContain('name: invalid format - value does not look like a valid DNS name')
})
