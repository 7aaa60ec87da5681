import { ansibleInventory } from './ansible-inventory.js'
import { classicLayout } from './classic-layout.js'
import { configPath, seedPath } from './config-path.js'
import { diagramFiles } from './diagram-files.js'
import { privateMode, type RenderedFile, type RenderInput } from './render-input.js'
import { terraformVariables } from './terraform-variables.js'

/** Everything that `ichor render` writes: configs, access files, input for Terraform and Ansible, and diagrams. */
export function renderFiles(input: RenderInput): RenderedFile[] {
  return [
    ...input.nodes.map(({ name, config }) => ({ path: configPath(name), content: config, mode: privateMode })),
    ...input.nodes.flatMap(({ name, seed }) =>
      seed === undefined ? [] : [{ path: seedPath(name), content: seed, mode: privateMode }],
    ),
    { path: 'talosconfig', content: input.talosconfig, mode: privateMode },
    ...(input.kubeconfig === undefined ? [] : [{ path: 'kubeconfig', content: input.kubeconfig, mode: privateMode }]),
    ...(input.secrets === undefined ? [] : [{ path: 'secrets.yaml', content: input.secrets, mode: privateMode }]),
    terraformVariables(input),
    ansibleInventory(input),
    ...diagramFiles(input.topology),
    ...classicLayout(input),
  ]
}
