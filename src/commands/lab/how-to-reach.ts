import type { LabInfo } from '../../lab/index.js'

/** The addresses of a lab and its token, one line each. */
export function howToReach({
  endpoint,
  token_id,
  token_secret,
  root_password,
  fingerprint,
  socks,
  ssh,
  factory,
  operator,
  pid,
}: LabInfo): string {
  return [
    `endpoint     ${endpoint}`,
    `token        ${token_id}=${token_secret}`,
    `password     ${root_password} (of root@pam)`,
    `fingerprint  ${fingerprint}`,
    `socks        ${socks.host}:${socks.port} (also HTTPS_PROXY=http://${socks.host}:${socks.port})`,
    `ssh          ${ssh.user}@${ssh.host}:${ssh.port}`,
    `factory      ${factory}`,
    `operator     ${operator} (this computer, as firewalls in the lab see it)`,
    `pid          ${pid}`,
    '',
  ].join('\n')
}
