/** Whether an attacker in between could read and change the traffic to this address. */
export function isPlainHttp(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
}

/** `factory.lan` of `http://factory.lan:8080/x`. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : address
}

/** A host name of an address, without its port. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
