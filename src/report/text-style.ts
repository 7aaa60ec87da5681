import { styleText } from 'node:util'

type Paint = (text: string) => string

export interface TextStyle {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

const plain: Paint = (text) => text

/** Colours only on a terminal that wants them (`NO_COLOR` and `TERM=dumb` are honoured). */
export function textStyle(output: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): TextStyle {
  const wanted = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  const paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'): Paint =>
    wanted ? (text) => styleText(format, text, { validateStream: false }) : plain
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  }
}
