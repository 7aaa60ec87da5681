interface Vm {
  readonly mark: { readonly stage: string }
  readonly status: string
  readonly options: Readonly<Record<string, string>>
}

/** Whether its Talos may have run: it was created, or it runs with a system disk. Without one there is nothing to boot. */
export function mayHaveRun({ mark, status, options }: Vm): boolean {
  return mark.stage !== 'making' || (status === 'running' && options.scsi0 !== undefined)
}
