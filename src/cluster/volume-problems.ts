interface VolumeStatus {
  readonly id: string
  readonly spec?: unknown
}

/** User, raw and swap volumes, and the partitions of `machine.disks`: without a disk they are never ready. */
const ofConfig = /^([urs]-|\/dev\/)/

/** Why a volume of a node cannot be used, in the words of Talos. */
export function volumeProblems(volumes: readonly VolumeStatus[]): string[] {
  return volumes.flatMap(({ id, spec }) => {
    const { phase = 'waiting', errorMessage = '' } = (spec ?? {}) as { phase?: string; errorMessage?: string }
    const isBad = phase === 'failed' || (ofConfig.test(id) && phase !== 'ready')
    const name = id.replace(/^[urs]-/, '')
    return isBad ? [`the volume ${name} is ${phase}${errorMessage === '' ? '' : `: ${errorMessage}`}`] : []
  })
}
