/** `10.0.10.0/24` of `10.0.10.11/24`; other families are unchanged. */
export function networkOf(cidr: string): string {
  const [address = '', bits = '32'] = cidr.split('/')
  if (address.includes(':')) return cidr
  const size = 2 ** (32 - Number(bits))
  const value = Math.floor(numberOf(address) / size) * size
  return `${[24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')}/${bits}`
}

export function withinAny(cidr: string, subnets: readonly string[]): boolean {
  const [address = ''] = cidr.split('/')
  return subnets.some((subnet) => {
    const bits = subnet.split('/')[1] ?? '32'
    return !address.includes(':') && !subnet.includes(':') && networkOf(`${address}/${bits}`) === networkOf(subnet)
  })
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}
