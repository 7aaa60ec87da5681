/** What programs need to start and to find their files, the network and its certificates. None of it is a credential of ours. */
const passed =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TEMP|TMP|SYSTEMROOT|COMSPEC|PATHEXT|USERPROFILE|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS)$/i

/**
 * The environment of a user's command. A list of allowed names, because a list of all names that tokens of clouds,
 * Vault, SOPS and CI systems may have is never complete.
 */
export function checkEnvironment(
  env: NodeJS.ProcessEnv,
  { cluster, machine }: { readonly cluster: string; readonly machine: string },
): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)))
  return { ...own, ICHOR_CLUSTER: cluster, ICHOR_MACHINE: machine }
}
