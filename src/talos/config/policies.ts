import type { ConfigObject } from './config-value.js'

/** What pods may do by default: enforced at `baseline`, warned about and audited at `restricted`; kube-system is free. */
export const podSecurity: ConfigObject = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1alpha1',
  kind: 'PodSecurityConfiguration',
  defaults: {
    audit: 'restricted',
    'audit-version': 'latest',
    enforce: 'baseline',
    'enforce-version': 'latest',
    warn: 'restricted',
    'warn-version': 'latest',
  },
  exemptions: { namespaces: ['kube-system'], runtimeClasses: [], usernames: [] },
}

/** Who did what to which object, without bodies. */
export const auditPolicy: ConfigObject = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'Metadata' }],
}
