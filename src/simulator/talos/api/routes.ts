import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { type ConnectRouter, createContextValues } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { ClusterService } from '../../../wire/cluster/cluster_pb.js'
import { State } from '../../../wire/cosi/resource/state_pb.js'
import { InspectService } from '../../../wire/inspect/inspect_pb.js'
import { ImageService } from '../../../wire/machine/image_pb.js'
import { LifecycleService } from '../../../wire/machine/lifecycle_pb.js'
import { MachineService } from '../../../wire/machine/machine_pb.js'
import { StorageService } from '../../../wire/storage/storage_pb.js'
import { TimeService } from '../../../wire/time/time_pb.js'
import { answerUnknown } from './answer-unknown.js'
import { connectionKey } from './call-context.js'
import { gate } from './gate.js'
import { applyHandlers } from './handlers/apply-configuration.js'
import { bootstrapHandlers } from './handlers/bootstrap.js'
import { cosiHandlers } from './handlers/cosi.js'
import { etcdHandlers } from './handlers/etcd.js'
import { fileHandlers } from './handlers/files.js'
import { healthHandlers } from './handlers/health.js'
import { credentialHandlers } from './handlers/kubeconfig.js'
import { imageHandlers, legacyImageHandlers, lifecycleHandlers } from './handlers/lifecycle.js'
import { logHandlers } from './handlers/logs.js'
import { powerHandlers } from './handlers/power.js'
import { serviceHandlers } from './handlers/services.js'
import { inspectHandlers, statsHandlers } from './handlers/stats.js'
import { storageHandlers, timeHandlers } from './handlers/storage.js'
import { versionHandlers } from './handlers/version.js'
import type { Answer, Connection } from './node-api.js'

const maxMessage = 32 * 1024 ** 2

/** One handler for all machines of the lab: the connection determines the machine. */
export function createAnswer(): Answer {
  const connections = new WeakMap<object, Connection>()
  const handle = connectNodeAdapter({
    routes,
    connect: false,
    grpcWeb: false,
    interceptors: [gate],
    readMaxBytes: maxMessage,
    writeMaxBytes: maxMessage,
    fallback: (request, response) => {
      const connection = connections.get(request)
      if (connection === undefined || !('stream' in request) || !('stream' in response)) return
      void answerUnknown(request, response, connection)
    },
    contextValues: (request) => createContextValues().set(connectionKey, connections.get(request)),
  })
  return (request: Http2ServerRequest, response: Http2ServerResponse, connection: Connection) => {
    connections.set(request, connection)
    handle(request, response)
  }
}

function routes(router: ConnectRouter): void {
  router.service(MachineService, {
    ...versionHandlers,
    ...serviceHandlers,
    ...bootstrapHandlers,
    ...etcdHandlers,
    ...credentialHandlers,
    ...applyHandlers,
    ...powerHandlers,
    ...legacyImageHandlers,
    ...logHandlers,
    ...fileHandlers,
    ...statsHandlers,
  })
  router.service(ClusterService, healthHandlers)
  router.service(InspectService, inspectHandlers)
  router.service(LifecycleService, lifecycleHandlers)
  router.service(ImageService, imageHandlers)
  router.service(StorageService, storageHandlers)
  router.service(TimeService, timeHandlers)
  router.service(State, cosiHandlers)
}
