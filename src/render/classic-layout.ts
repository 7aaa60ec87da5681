import { privateMode, type RenderedFile, type RenderInput } from './render-input.js'

/** The three files of a `talosctl gen config`: one config a role, and the secrets when they were asked for. */
export function classicLayout({ classic, secrets }: RenderInput): RenderedFile[] {
  if (classic === undefined) return []
  const file = (path: string, content: string | undefined): RenderedFile[] =>
    content === undefined ? [] : [{ path, content, mode: privateMode }]
  return [
    ...file('talos/control-plane.yaml', classic.controlPlane),
    ...file('talos/worker.yaml', classic.worker),
    ...file('talos/secrets.yaml', secrets),
  ]
}
