import { GiB } from '../cluster/machine.js'
import { publicMode, type RenderedFile, type RenderInput, type RenderNode } from './render-input.js'

/** A picture of hosts and machines, in Mermaid, which most places that show Markdown draw. */
export function clusterDiagram({ cluster, nodes }: RenderInput): RenderedFile {
  const hosts = [...new Set(nodes.map(({ host }) => host))]
  const lines = [
    `# ${cluster.name}`,
    '',
    '```mermaid',
    'flowchart TB',
    `  api(["${cluster.endpoint}"])`,
    ...hosts.flatMap((host, index) => [
      `  subgraph host${index}["${host}"]`,
      ...nodes.flatMap((node, n) => (node.host === host ? [`    node${n}["${labelOf(node)}"]`] : [])),
      '  end',
    ]),
    ...nodes.flatMap(({ role }, n) => (role === 'controlplane' ? [`  api --> node${n}`] : [])),
    '```',
    '',
  ]
  return { path: 'diagram.md', content: lines.join('\n'), mode: publicMode }
}

function labelOf({ name, role, vmid, cpu, memory, ip }: RenderNode): string {
  const size = `${cpu} vCPU, ${Math.ceil(memory / GiB)} GiB`
  return [name, role, `VM ${vmid}`, size, ...(ip === undefined ? [] : [ip])].join('<br/>')
}
