import type { ConfigObject } from './config-value.js'

/** Pod security defaults: `baseline` enforced, `restricted` warned about and audited; kube-system is exempt. */
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

/** Metadata of requests, without bodies. */
export const auditPolicy: ConfigObject = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'Metadata' }],
}
