import { describe, expect, test } from 'vitest'
import { type Lab, plan, signal, startLab } from '../../tests/support/addon-lab.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import { helmJobObjects } from './helm-job.js'
import { findHelmJob } from './install-objects.js'

describe('in the lab a helm job that would not work on a fresh cluster fails', () => {
  type Spec = Record<string, unknown> & { containers: Record<string, unknown>[] }
  const edits: { lacks: string; edit: (spec: Spec) => Spec; says: RegExp }[] = [
    { lacks: 'the host network', edit: (spec) => ({ ...spec, hostNetwork: false }), says: /host network/ },
    { lacks: 'dnsPolicy Default', edit: (spec) => ({ ...spec, dnsPolicy: 'ClusterFirst' }), says: /dnsPolicy/ },
    {
      lacks: 'KubePrism',
      edit: (spec) => ({ ...spec, containers: spec.containers.map((one) => ({ ...one, env: [] })) }),
      says: /KubePrism/,
    },
    {
      lacks: 'an image by digest',
      edit: (spec) => ({
        ...spec,
        containers: spec.containers.map((one) => ({ ...one, image: 'docker.io/alpine/helm:3.19.0' })),
      }),
      says: /digest/,
    },
    {
      lacks: 'its values in a Secret',
      edit: (spec) => ({
        ...spec,
        volumes: [
          { name: 'values', configMap: { name: 'x' } },
          { name: 'home', emptyDir: {} },
          { name: 'tmp', emptyDir: {} },
        ],
      }),
      says: /Secret/,
    },
    { lacks: 'cluster-admin', edit: (spec) => ({ ...spec, serviceAccountName: 'default' }), says: /forbidden/ },
    {
      lacks: 'a toleration',
      edit: (spec) => ({
        ...spec,
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists' },
          { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
        ],
      }),
      says: /uninitialized/,
    },
  ]
  test.each(edits)('without $lacks', async ({ edit, says }) => {
    const [addon] = plan({ cert_manager: true })
    const job = addon === undefined ? undefined : findHelmJob(addon)
    if (job === undefined) throw new Error('cert-manager is a chart')
    const lab = await startLab([])
    const objects = helmJobObjects(job).map((object) => (object.kind === 'Job' ? withPodSpec(object, edit) : object))
    await lab.api.apply(objects, { fieldManager: 'test', force: true }, signal)
    const log = await firstLog(lab)
    expect(log).toMatch(says)
  })

  function withPodSpec(job: KubernetesObject, edit: (spec: Spec) => Spec): KubernetesObject {
    const spec = job.spec as { template: { spec: Spec } }
    return { ...job, spec: { ...spec, template: { ...spec.template, spec: edit(spec.template.spec) } } }
  }

  async function firstLog({ api, clock }: Lab): Promise<string> {
    for (let tries = 0; tries < 300; tries++) {
      const pods = await api.list(
        { apiVersion: 'v1', kind: 'Pod' },
        'kube-system',
        { labelSelector: 'ichor.dev/addon=cert_manager' },
        signal,
      )
      const failed = pods.find((pod) => (pod.status as { phase?: string }).phase === 'Failed')
      if (failed !== undefined) return api.podLogs('kube-system', failed.metadata.name ?? '', {}, signal)
      await clock.sleep(1_000, signal)
    }
    throw new Error('no pod failed')
  }
})
