import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseCommandLine } from '../src/commands/frame/parse.js'
import watch from '../src/commands/watch.js'

const folder = 'deploy/kubernetes'
const read = (name: string) => parse(readFileSync(`${folder}/${name}`, 'utf8'))
const { resources } = read('kustomization.yaml')
const objects: { kind: string; metadata: { name: string } }[] = resources.map(read)

test('the base holds every manifest of its folder', () => {
  const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')
  expect([...resources].sort()).toEqual(files.sort())
})

test('the process has no rights in Kubernetes, and its pod none on the node', () => {
  expect(objects.map(({ kind }) => kind).filter((kind) => /Role|Binding/.test(kind))).toEqual([])
  const { spec } = read('deployment.yaml').spec.template
  expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
  expect(spec.containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(read('namespace.yaml').metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' })
})

test('probes, service and policy lead to the port that it listens on', () => {
  const [container] = read('deployment.yaml').spec.template.spec.containers
  const port = container.ports[0].containerPort
  expect(container.args).toContain(`0.0.0.0:${port}`)
  expect([container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
    { path: '/healthz', port: container.ports[0].name },
    { path: '/readyz', port: container.ports[0].name },
  ])
  expect(read('service.yaml').spec.ports[0].port).toBe(port)
  expect(read('network-policy.yaml').spec.ingress[0].ports[0].port).toBe(port)
})

test('ichor understands the command lines of the pod and of the unit', () => {
  const [, line = ''] =
    /^ExecStart=\S+ watch (.+)$/m.exec(readFileSync('deploy/systemd/ichor-watch.service', 'utf8')) ?? []
  const { args } = read('deployment.yaml').spec.template.spec.containers[0]
  expect(parseCommandLine(line.split(' '), watch, 'ichor watch')).toMatchObject({ positionals: ['/srv/clusters'] })
  expect(parseCommandLine(args.slice(1), watch, 'ichor watch')).toMatchObject({ positionals: ['/clusters'] })
})
