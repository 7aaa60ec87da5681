import { Code, ConnectError } from '@connectrpc/connect'
import { State } from '../../../wire/cosi/resource/state_pb.js'
import { ImageService } from '../../../wire/machine/image_pb.js'
import { MachineService } from '../../../wire/machine/machine_pb.js'

const services = new Set([MachineService, ImageService, State].map(({ typeName }) => typeName as string))

/** With grpc-go's message. */
export function unknownMethod(path: string): ConnectError {
  const [, service = '', method = ''] = path.split('/')
  const message = services.has(service)
    ? `unknown method ${method} for service ${service}`
    : `unknown service ${service}`
  return new ConnectError(message, Code.Unimplemented)
}
