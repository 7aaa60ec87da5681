import { styleText } from 'node:util'

type Paint = (text: string) => string

/** The sign at the start of a line; colour supports it and never carries the meaning. */
export interface Signs {
  readonly ok: string
  readonly failed: string
  readonly waiting: string
  readonly dot: string
  readonly ellipsis: string
  /** The used and the free part of a bar; empty without a bar. */
  readonly full: string
  readonly empty: string
}

export interface TextStyle {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
  readonly signs: Signs
  /** ASCII only, and nothing that moves: for logs, pipes and screen readers. */
  readonly isPlain: boolean
}

const plainSigns: Signs = { ok: 'ok', failed: 'x', waiting: '.', dot: ',', ellipsis: '...', full: '', empty: '' }
const richSigns: Signs = { ok: '✓', failed: '✗', waiting: '·', dot: ' ·', ellipsis: '…', full: '█', empty: '░' }

const plain: Paint = (text) => text

/** Set by `--plain`. */
export const plainVariable = 'ICHOR_PLAIN'

/**
 * Colours only on a terminal that supports them (`NO_COLOR` and `TERM=dumb` are honoured); symbols only on a terminal.
 */
export function textStyle(output: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): TextStyle {
  const isPlain = output.isTTY !== true || Boolean(env[plainVariable]) || env.TERM === 'dumb'
  const wanted = !isPlain && !env.NO_COLOR
  const paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'): Paint =>
    wanted ? (text) => styleText(format, text, { validateStream: false }) : plain
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
    signs: isPlain ? plainSigns : richSigns,
    isPlain,
  }
}
