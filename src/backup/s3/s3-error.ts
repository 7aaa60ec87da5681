import { BackupError } from '../snapshot-error.js'
import { findElement } from './xml.js'

/** An error response of an S3 service. */
export interface S3Failure {
  readonly status: number
  /** `NoSuchBucket`, `QuotaExceeded`, …; empty if there is none. */
  readonly code: string
  readonly message: string
}

export function readFailure(status: number, body: string): S3Failure {
  return { status, code: findElement(body, 'Code') ?? '', message: findElement(body, 'Message') ?? '' }
}

const fixes: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Make the bucket, or correct backup.etcd.store.',
  InvalidAccessKeyId: 'Check backup.etcd.access_key.',
  SignatureDoesNotMatch: 'Check backup.etcd.secret_key.',
  AccessDenied: 'Let the key list, read, write and delete objects of this bucket.',
  QuotaExceeded: 'Raise the quota of the bucket, or run `ichor backup prune`.',
  EntityTooLarge: 'Raise the quota of the bucket, or run `ichor backup prune`.',
  RequestTimeTooSkewed: 'Set the clock of this computer.',
  AuthorizationHeaderMalformed: 'Set backup.etcd.region to the region of the bucket.',
  PreconditionFailed: 'Look at the store with `ichor backup list`.',
}

/** As a message for users; never contains a key. */
export function s3Error({ status, code, message }: S3Failure, where: string, cause?: unknown): BackupError {
  const reason = [code, message].filter(Boolean).join(': ') || `status ${status}`
  return new BackupError(`The S3 service refused: ${reason}.`, {
    where,
    fix: fixes[code] ?? (status === 403 ? (fixes.AccessDenied ?? '') : 'Check backup.etcd.endpoint and the service.'),
    cause,
  })
}

export function s3Unreachable(reason: string, where: string, cause: unknown): BackupError {
  return new BackupError(`The S3 service does not answer: ${reason}.`, {
    where,
    fix: 'Check backup.etcd.endpoint, and that this computer can reach it.',
    cause,
  })
}
