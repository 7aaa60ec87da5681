import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MediumInfo } from '../core/guest.js'
import type { LabNetwork } from '../core/network.js'
import { createFactoryModel } from './factory-model.js'
import { type Surroundings, serve } from './serve.js'

/** The simulated Image Factory. Like the public one it builds only registered schematics, and provides no checksums. */
export interface FactorySim {
  /** `http://127.0.0.1:port`. */
  readonly url: string
  /** The content of an installer image of this factory; `undefined` if it cannot be pulled. */
  findInstaller(image: string): MediumInfo | undefined
  /** A JSON value that `createFactorySim` continues from. */
  save(): unknown
  close(): Promise<void>
}

export interface FactorySetup extends Surroundings {
  readonly network: LabNetwork
  /** The value of `save`. */
  readonly saved?: unknown
}

/** Starts a factory on a separate loopback port. */
export async function createFactorySim(setup: FactorySetup): Promise<FactorySim> {
  const model = createFactoryModel(setup.clock, setup.saved)
  const server = createServer(
    (request, response) => void serve(setup, request, response, model.answer).catch(() => request.socket.destroy()),
  )
  await setup.network.listen(server, '127.0.0.1', 0)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    findInstaller: (image) => model.findInstaller(image),
    save: () => model.save(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
