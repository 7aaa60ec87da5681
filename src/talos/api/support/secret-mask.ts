const masked = '******'

/** Keys whose values are secret in a secrets file. */
const secretKey = /^(key|id|values)$|token|secret/i

/** A shorter value could be an ordinary word, and masking it everywhere would hide too much. */
const minLength = 8

/** Removes secrets from texts. Learned values are masked everywhere, in logs as well as in configs. */
export interface SecretMask {
  /** Adds every value under a secret key of this object. */
  learn(value: unknown): void
  /** A machine config without its secrets; their values are learned. */
  maskConfig(config: string): string
  maskText(text: string): string
}

/** Removes the secrets from a machine config. */
export type MaskConfig = (config: string) => { readonly text: string; readonly secrets: readonly string[] }

export function createSecretMask(maskFields: MaskConfig): SecretMask {
  const known = new Set<string>()
  const remember = (value: string) => {
    if (value.length >= minLength) known.add(value)
    const decoded = Buffer.from(value, 'base64').toString('utf8')
    if (decoded.includes('PRIVATE KEY')) known.add(decoded.trim())
  }
  const maskText = (text: string) => {
    const longestFirst = [...known].sort((one, other) => other.length - one.length)
    const withoutKnown = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, masked), text)
    return shapes.reduce((rest, shape) => rest.replace(shape, masked), withoutKnown)
  }
  return {
    learn: (value) => learnFrom(value, false, remember),
    maskConfig: (config) => {
      const { text, secrets } = maskReadable(config, maskFields)
      secrets.forEach(remember)
      return maskText(text)
    },
    maskText,
  }
}

/** Secrets that can be recognised by their format. */
const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z0-9 ]*PRIVATE KEY-----/g,
  // The same in base64: "-----BEGIN" at its start.
  /LS0tLS1CRUdJTi[A-Za-z0-9+/]*(?:UFJJVkFURSBLRVkt|QUklWQVRFIEtFWS|BSSVZBVEUgS0VZL)[A-Za-z0-9+/=]*/g,
  // Kubernetes bootstrap tokens, which Talos uses for its own as well.
  /\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g,
  // A complete config on the kernel command line.
  /(?<=talos\.config\.(?:inline|early)=)\S+/g,
]

function learnFrom(value: unknown, isSecret: boolean, remember: (secret: string) => void): void {
  if (typeof value === 'string' && isSecret) remember(value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    learnFrom(inner, isSecret || secretKey.test(key), remember)
  }
}

/** A config that cannot be parsed is not shown at all. */
function maskReadable(config: string, maskFields: MaskConfig): ReturnType<MaskConfig> {
  try {
    return maskFields(config)
  } catch {
    return { text: masked, secrets: [] }
  }
}
