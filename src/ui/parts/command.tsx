import { useState } from 'preact/hooks'

/** A command to copy. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    void copyText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    })
  }
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" onClick={copy} aria-label={`Copy ${text}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  )
}

/** A file opened from disk may not use the clipboard: there it is selected in a field, as by hand. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }
}

/** The same for this cluster: `ichor backup` is `ichor backup -i prod`. */
export function forCluster(command: string, options: string): string {
  const isOne = command.startsWith('ichor ') && !/[|&;<>]|\s-i\s|\s--inventory/.test(command)
  return isOne && options !== '' ? `${command} ${options}` : command
}
