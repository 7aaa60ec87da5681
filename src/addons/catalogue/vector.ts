import type { KubernetesObject } from '../../kubernetes/port.js'
import { type AddonRequest, defineAddon, namespaceObject, rollout, secretObject, textOption } from '../addon.js'

/** The address where Vector listens on every node, reachable only from that node. */
const talosAddress = '127.0.0.1:6051'
const passwordName = 'ichor-elasticsearch'

export const vector = defineAddon({
  name: 'vector',
  title: 'Vector',
  summary: 'Sends the logs of pods, of Talos services and of the kernel to Loki or Elasticsearch.',
  tried: 'chart',
  version: '0.57.0',
  namespace: 'vector',
  options: {
    loki: {
      kind: 'text',
      help: 'Address of Loki. Default: that of the addon `loki`, unless `elasticsearch` is given.',
    },
    elasticsearch: { kind: 'text', help: 'Address of Elasticsearch or OpenSearch: `https://logs.example:9200`.' },
    elasticsearch_user: { kind: 'text', help: 'User there.' },
    elasticsearch_password: { kind: 'secret', sentTo: 'elasticsearch', help: 'Password there, by reference.' },
    talos: {
      kind: 'flag',
      default: true,
      help: 'Logs of Talos services and of the kernel, too: every machine sends them to the Vector on it.',
    },
  },
  after: ['cilium', 'flannel', 'loki'],
  machines: ({ talos }) => (talos === false ? {} : { logDestinations: [`tcp://${talosAddress}/`] }),
  install: (request) => ({
    before: [namespaceObject(request.namespace, 'privileged'), ...passwordObjects(request)],
    source: {
      kind: 'chart',
      repository: 'https://helm.vector.dev',
      chart: 'vector',
      version: request.version,
      release: 'vector',
      values: {
        role: 'Agent',
        podHostNetwork: true,
        dnsPolicy: 'ClusterFirstWithHostNet',
        tolerations: [{ operator: 'Exists' }],
        service: { enabled: false },
        serviceHeadless: { enabled: false },
        containerPorts: [{ name: 'talos', containerPort: 6051, protocol: 'TCP' }],
        env: passwordEnvironment(request),
        customConfig: pipeline(request),
      },
    },
  }),
  checks: ({ namespace }) => [rollout('DaemonSet', namespace, 'vector')],
})

function pipeline(request: AddonRequest): object {
  const hasTalos = request.settings.talos !== false
  const talos = { type: 'socket', mode: 'tcp', address: talosAddress, decoding: { codec: 'json' } }
  const inputs = ['pod_fields', ...(hasTalos ? ['talos_fields'] : [])]
  return {
    data_dir: '/vector-data-dir',
    sources: { pods: { type: 'kubernetes_logs' }, ...(hasTalos ? { talos } : {}) },
    transforms: {
      pod_fields: remap('pods', [
        '.source = "pod"',
        '.namespace = .kubernetes.pod_namespace',
        '.app = .kubernetes.container_name',
      ]),
      ...(hasTalos
        ? {
            talos_fields: remap('talos', [
              '.source = "talos"',
              '.namespace = "talos"',
              '.app = string(."talos-service") ?? "kernel"',
              '.message = string(del(.msg)) ?? ""',
            ]),
          }
        : {}),
    },
    sinks: { ...lokiSink(request, inputs), ...elasticsearchSink(request, inputs) },
  }
}

function remap(input: string, lines: readonly string[]): object {
  const node = '.node = "$' + '{VECTOR_SELF_NODE_NAME}"'
  return { type: 'remap', inputs: [input], source: [...lines, node].join('\n') }
}

/** The chart renders its values as templates, and Vector uses such braces too. */
function field(name: string): string {
  return `{{ \`{{ ${name} }}\` }}`
}

function lokiSink({ settings }: AddonRequest, inputs: readonly string[]): object {
  const given = textOption(settings, 'loki')
  if (given === undefined && textOption(settings, 'elasticsearch') !== undefined) return {}
  const labels = Object.fromEntries(['source', 'node', 'namespace', 'app'].map((name) => [name, field(name)]))
  const endpoint = given ?? 'http://loki.logging.svc:3100'
  return { loki: { type: 'loki', inputs, endpoint, labels, encoding: { codec: 'json' } } }
}

function elasticsearchSink({ settings, context }: AddonRequest, inputs: readonly string[]): object {
  const endpoint = textOption(settings, 'elasticsearch')
  if (endpoint === undefined) return {}
  const user = textOption(settings, 'elasticsearch_user')
  const hasPassword = user !== undefined && context.secrets['vector.elasticsearch_password'] !== undefined
  const auth = { strategy: 'basic', user, password: '$' + '{ELASTICSEARCH_PASSWORD}' }
  const bulk = { index: 'logs-%Y.%m.%d' }
  return {
    elasticsearch: { type: 'elasticsearch', inputs, endpoints: [endpoint], bulk, ...(hasPassword ? { auth } : {}) },
  }
}

function passwordObjects({ context, namespace }: AddonRequest): KubernetesObject[] {
  const password = context.secrets['vector.elasticsearch_password']
  return password === undefined ? [] : [secretObject(passwordName, namespace, { password })]
}

/** In a Secret and in the environment, not in the values. */
function passwordEnvironment({ context }: AddonRequest): object[] {
  if (context.secrets['vector.elasticsearch_password'] === undefined) return []
  const valueFrom = { secretKeyRef: { name: passwordName, key: 'password' } }
  return [{ name: 'ELASTICSEARCH_PASSWORD', valueFrom }]
}
