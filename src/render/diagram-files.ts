import { diagramMermaid } from './diagram-mermaid.js'
import { diagramSvg } from './diagram-svg.js'
import { publicMode, type RenderedFile } from './render-input.js'
import type { Topology } from './topology.js'

/** The diagram as Mermaid for Markdown, and as SVG. */
export function diagramFiles(topology: Topology): RenderedFile[] {
  const markdown = [`# ${topology.cluster}`, '', '```mermaid', diagramMermaid(topology).trimEnd(), '```', ''].join('\n')
  return [
    { path: 'diagram.md', content: markdown, mode: publicMode },
    { path: 'diagram.svg', content: diagramSvg(topology), mode: publicMode },
  ]
}
