import { type DescMessage, fromBinary, toJson } from '@bufbuild/protobuf'
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  type Event,
  MachineStatusEventSchema,
  PhaseEventSchema,
  RestartEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
  TaskEventSchema,
} from '../../wire/machine/events_pb.js'
import type { NodeEvent } from './port.js'

const schemas = new Map<string, DescMessage>(
  [
    AddressEventSchema,
    ConfigLoadErrorEventSchema,
    ConfigValidationErrorEventSchema,
    MachineStatusEventSchema,
    PhaseEventSchema,
    RestartEventSchema,
    SequenceEventSchema,
    ServiceStateEventSchema,
    TaskEventSchema,
  ].map((schema) => [schema.typeName, schema]),
)

/** The first event of a stream is empty and says only that the stream stands: `undefined`. */
export function nodeEventFrom({ id, data }: Event): NodeEvent | undefined {
  if (data === undefined || data.typeUrl === '') return undefined
  const typeName = data.typeUrl.slice(data.typeUrl.lastIndexOf('/') + 1)
  const schema = schemas.get(typeName)
  const type = typeName.slice(typeName.lastIndexOf('.') + 1)
  if (schema === undefined) return { id, type, payload: undefined }
  return { id, type, payload: toJson(schema, fromBinary(schema, data.value), { alwaysEmitImplicit: true }) }
}
