import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestCluster, type TestCluster } from '../../../src/simulator/kubernetes/testing.js'
import { startChecks } from './check.js'

const checks = startChecks()
const folder = mkdtempSync(join(tmpdir(), 'ichor-kubectl-'))

interface Kubectl {
  readonly label: string
  run(...args: string[]): Promise<string>
  fails(...args: string[]): Promise<string>
}

function kubectlOf(binary: string, label: string, kubeconfig: string): Kubectl {
  const start = (args: readonly string[]) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const env = { PATH: process.env.PATH ?? '', HOME: folder, KUBECONFIG: kubeconfig }
      execFile(binary, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, text: `${stdout}${stderr}` })
      })
    })
  return {
    label,
    run: async (...args) => {
      const { code, text } = await start(args)
      if (code !== 0) throw new Error(`kubectl ${args.join(' ')} failed: ${text}`)
      return text
    },
    fails: async (...args) => {
      const { code, text } = await start(args)
      if (code === 0) throw new Error(`kubectl ${args.join(' ')} succeeded: ${text}`)
      return text
    },
  }
}

const shop = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: nginx:1.27
        ports: [{containerPort: 80}]
        env: [{name: A, value: "1"}, {name: B, value: "2"}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
`

const widgetCrd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
const widget = `apiVersion: example.com/v1
kind: Widget
metadata: {name: one, namespace: default}
spec: {size: 3}
`

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function contains(text: string, ...words: string[]): void {
  for (const word of words) if (!text.includes(word)) throw new Error(`${JSON.stringify(word)} is missing in:\n${text}`)
}

async function startCluster(): Promise<TestCluster> {
  const cluster = await startTestCluster({ speed: 60, version: 'v1.36.3' })
  const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
  cluster.addNode({ nodeName: 'cp-1', role: 'controlplane', addresses: ['10.0.10.11'], taints, version: 'v1.36.3' })
  cluster.addNode({ nodeName: 'wk-1', addresses: ['10.0.10.21'], version: 'v1.36.3', rotateServerCertificates: true })
  cluster.addNode({ nodeName: 'wk-2', addresses: ['10.0.10.22'], version: 'v1.36.3' })
  return cluster
}

/** The same story for each kubectl, old or new. */
async function tellStory(cluster: TestCluster, kubectl: Kubectl): Promise<void> {
  const step = (title: string, run: () => Promise<void>) => checks.attempt(`${kubectl.label}: ${title}`, run)
  const apply = (path: string) => kubectl.run('apply', '-f', path)
  const manifest = file('shop.yaml', shop)

  await step('waits for the nodes and prints their roles', async () => {
    await kubectl.run('wait', '--for=condition=Ready', 'nodes', '--all', '--timeout=40s')
    contains(await kubectl.run('get', 'nodes'), 'control-plane', 'wk-1', 'wk-2', 'v1.36.3')
  })
  await step('knows the resources', async () =>
    contains(await kubectl.run('api-resources'), 'deployments', 'customresourcedefinitions', 'poddisruptionbudgets'),
  )
  await step('applies manifests', async () =>
    contains(await apply(manifest), 'namespace/shop created', 'deployment.apps/web created'),
  )
  await step('applies them again and nothing changes', async () =>
    contains(await apply(manifest), 'deployment.apps/web unchanged', 'service/web unchanged'),
  )
  await step('follows a rollout', async () =>
    contains(
      await kubectl.run('-n', 'shop', 'rollout', 'status', 'deploy/web', '--timeout=40s'),
      'successfully rolled out',
    ),
  )
  await step('changes one container of a list and keeps the rest', async () => {
    await apply(file('changed.yaml', shop.replace('{name: B, value: "2"}', '{name: B, value: "3"}')))
    contains(
      await kubectl.run('-n', 'shop', 'get', 'deploy', 'web', '-o', 'jsonpath={.spec.template.spec.containers[0].env}'),
      '"value":"1"',
      '"value":"3"',
    )
    await kubectl.run('-n', 'shop', 'rollout', 'status', 'deploy/web', '--timeout=40s')
  })
  await step('scales', async () => {
    await kubectl.run('-n', 'shop', 'scale', 'deploy/web', '--replicas=3')
    await kubectl.run('-n', 'shop', 'rollout', 'status', 'deploy/web', '--timeout=40s')
  })
  await step('finds pods by label and by node', async () => {
    contains(await kubectl.run('-n', 'shop', 'get', 'pods', '-l', 'app=web'), 'Running')
    contains(await kubectl.run('get', 'pods', '-A', '--field-selector', 'spec.nodeName=cp-1'), 'kube-apiserver-cp-1')
  })
  await step('server-side apply meets a conflict and can force it', async () => {
    const other = file('forced.yaml', shop.replace('replicas: 2', 'replicas: 1'))
    contains(
      await kubectl.fails('apply', '--server-side', '--field-manager=other', '-f', other),
      'conflict',
      '.spec.replicas',
    )
    await kubectl.run('apply', '--server-side', '--force-conflicts', '--field-manager=other', '-f', other)
  })
  await step('a custom resource after its definition', async () => {
    await apply(file('crd.yaml', widgetCrd))
    await kubectl.run('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=30s')
    await apply(file('widget.yaml', widget))
    contains(await kubectl.run('get', 'widgets', '-o', 'yaml'), 'size: 3')
  })
  await step('drains a node past a disruption budget', async () => {
    // With a single pod the budget would forbid what is tried here, wherever that pod happens to run.
    await kubectl.run('-n', 'shop', 'scale', 'deploy/web', '--replicas=3')
    await kubectl.run('-n', 'shop', 'rollout', 'status', 'deploy/web', '--timeout=40s')
    const text = await kubectl.run('drain', 'wk-1', '--ignore-daemonsets', '--timeout=50s')
    contains(text, 'cordoned')
    contains(await kubectl.run('get', 'node', 'wk-1'), 'SchedulingDisabled')
    const left = await kubectl.run('-n', 'shop', 'get', 'pods', '--field-selector', 'spec.nodeName=wk-1')
    contains(left, 'No resources found')
    await kubectl.run('uncordon', 'wk-1')
  })
  await step('labels, annotates and taints', async () => {
    await kubectl.run('label', 'node', 'wk-2', 'zone=a', '--overwrite')
    await kubectl.run('annotate', 'node', 'wk-2', 'note=b', '--overwrite')
    await kubectl.run('taint', 'node', 'wk-2', 'x=y:NoSchedule', '--overwrite')
    contains(await kubectl.run('get', 'node', 'wk-2', '-o', 'yaml'), 'zone: a', 'note: b', 'key: x')
    await kubectl.run('taint', 'node', 'wk-2', 'x-')
  })
  await step('creates a namespace and a secret, and approves a certificate', async () => {
    await kubectl.run('create', 'namespace', 'extra')
    await kubectl.run('-n', 'extra', 'create', 'secret', 'generic', 'word', '--from-literal=a=b')
    contains(await kubectl.run('-n', 'extra', 'get', 'secret', 'word', '-o', 'jsonpath={.data.a}'), 'Yg==')
    const names = (await kubectl.run('get', 'csr', '-o', 'name')).trim().split('\n')
    await kubectl.run('certificate', 'approve', ...names)
    await kubectl
      .run('wait', '--for=jsonpath={.status.certificate}', names[0] ?? '', '--timeout=20s')
      .catch(() => 'an old kubectl cannot')
    contains(await kubectl.run('get', 'csr'), 'Approved,Issued')
    await kubectl.run('delete', 'namespace', 'extra', '--timeout=50s')
  })
  await step('creates what it writes in protobuf: workloads, services, roles, budgets', async () => {
    // Clients before 1.21 create cron jobs and budgets of versions that no server of today has.
    const isOld = /GitVersion:"v1\.(1\d|20)\./.test(await kubectl.run('version', '--client'))
    await kubectl.run('create', 'namespace', 'typed')
    const create = (...args: string[]) => kubectl.run('-n', 'typed', 'create', ...args)
    await create('deployment', 'web', '--image=nginx:1.29', '--replicas=2', '--port=80')
    await create('service', 'clusterip', 'web', '--tcp=80:8080')
    await create('job', 'once', '--image=busybox', '--', 'true')
    if (!isOld) await create('cronjob', 'often', '--image=busybox', '--schedule=*/5 * * * *')
    await create('quota', 'small', '--hard=pods=20')
    await create('role', 'reads', '--verb=get,list', '--resource=pods')
    await create('rolebinding', 'reads', '--role=reads', '--serviceaccount=typed:default')
    if (!isOld) await create('poddisruptionbudget', 'web', '--selector=app=web', '--min-available=1')
    await create('ingress', 'web', '--rule=shop.example/*=web:80')
    await kubectl.run('-n', 'typed', 'rollout', 'status', 'deployment/web', '--timeout=50s')
    const look = (path: string, ...what: string[]) =>
      kubectl.run('-n', 'typed', 'get', ...what, '-o', `jsonpath={${path}}`)
    contains(await look('.spec.template.spec.containers[0]', 'deployment', 'web'), '"image":"nginx:1.29"', '80')
    contains(await look('.spec.ports[0].targetPort', 'service', 'web'), '8080')
    contains(await look('.spec.hard.pods', 'quota', 'small'), '20')
    if (!isOld) contains(await look('.spec.minAvailable', 'pdb', 'web'), '1')
    contains(await look('.spec.rules[0].http.paths[0].backend.service.port.number', 'ingress', 'web'), '80')
    await kubectl.run('delete', 'namespace', 'typed', '--timeout=50s')
  })
  await step('complains about what is not there', async () =>
    contains(await kubectl.fails('-n', 'shop', 'get', 'pod', 'nobody'), 'not found'),
  )
  await step('deletes what was applied', async () => {
    await kubectl.run('delete', '-f', manifest, '--ignore-not-found', '--timeout=50s')
    contains(await kubectl.fails('get', 'ns', 'shop'), 'not found')
    await kubectl.run('delete', 'crd', 'widgets.example.com', '--timeout=30s')
  })
  await step('is refused without a certificate', async () => {
    const bare = [
      '--kubeconfig=/dev/null',
      `--server=https://${cluster.host}:${cluster.port}`,
      '--insecure-skip-tls-verify',
      '--username=x',
      '--password=y',
    ]
    contains((await kubectl.fails(...bare, 'get', 'nodes')).toLowerCase(), 'unauthorized')
  })
}

const binaries = process.argv.slice(2)
for (const binary of binaries) {
  const cluster = await startCluster()
  try {
    const kubectl = kubectlOf(binary, binary.split('/').at(-1) ?? binary, cluster.writeKubeconfig())
    await tellStory(cluster, kubectl)
  } finally {
    await cluster.close()
  }
}
checks.check('at least one kubectl was tried', binaries.length > 0, 'no kubectl was given')
process.exit(checks.finish())
