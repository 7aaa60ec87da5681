import { privateMode, type RenderedFile, type RenderInput } from './render-input.js'

/** The three files of `talosctl gen config`: one config per role, and the secrets on request. */
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
