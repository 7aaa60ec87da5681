/** Markdown as our own pages use it, as HTML: headings, paragraphs, lists, tables, code, links, images, emphasis. */
export function markdownToHtml(text) {
  const lines = text.replace(/<!--[\s\S]*?-->\n?/g, '').split('\n')
  const parts = []
  while (lines.length > 0) parts.push(takeBlock(lines))
  return parts.filter((part) => part !== '').join('\n')
}

function takeBlock(lines) {
  const [line] = lines
  if (line.trim() === '') return lines.shift() && ''
  if (/^ {0,3}```/.test(line)) return takeCode(lines)
  const heading = /^(#{1,6}) (.+)$/.exec(line)
  if (heading !== null) {
    lines.shift()
    const level = heading[1].length
    return `<h${level} id="${anchorOf(heading[2])}">${inline(heading[2])}</h${level}>`
  }
  if (/^\|/.test(line)) return takeTable(lines)
  if (isItem(line)) return takeList(lines)
  return takeParagraph(lines)
}

function takeCode(lines) {
  const [, language = ''] = /^ {0,3}```(\S*)/.exec(lines.shift())
  const code = []
  while (lines.length > 0 && !/^ {0,3}```/.test(lines[0])) code.push(lines.shift())
  lines.shift()
  return `<pre><code class="${language}">${escapeHtml(code.join('\n'))}</code></pre>`
}

function takeTable(lines) {
  const rows = []
  while (lines.length > 0 && /^\|/.test(lines[0])) rows.push(cellsOf(lines.shift()))
  const [head, , ...body] = rows
  const row = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`
  const top = head.every((cell) => cell === '') ? '' : `<thead>${row(head, 'th')}</thead>`
  return `<div class="table"><table>${top}<tbody>${body.map((cells) => row(cells, 'td')).join('\n')}</tbody></table></div>`
}

function cellsOf(line) {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
}

const itemPattern = /^( *)([-*]|\d+\.) +(.*)$/

function isItem(line) {
  return itemPattern.test(line)
}

/** Items of one depth; deeper lines belong to the item above them. */
function takeList(lines) {
  const [, indent, mark] = itemPattern.exec(lines[0])
  const items = []
  while (lines.length > 0) {
    const found = itemPattern.exec(lines[0])
    if (found !== null && found[1].length === indent.length) {
      items.push([found[3]])
      lines.shift()
    } else if (items.length > 0 && (found !== null || /^ +\S/.test(lines[0]))) items.at(-1).push(lines.shift())
    else break
  }
  const tag = /\d/.test(mark) ? 'ol' : 'ul'
  return `<${tag}>${items.map((item) => `<li>${itemHtml(item)}</li>`).join('\n')}</${tag}>`
}

function itemHtml(item) {
  const start = item.findIndex((line, index) => index > 0 && isItem(line))
  const own = start < 0 ? item : item.slice(0, start)
  const nested = start < 0 ? [] : item.slice(start)
  return `${inline(own.map((line) => line.trim()).join(' '))}${nested.length === 0 ? '' : takeList(nested)}`
}

function takeParagraph(lines) {
  const text = []
  while (
    lines.length > 0 &&
    lines[0].trim() !== '' &&
    !/^(#|\||```)/.test(lines[0]) &&
    !(text.length > 0 && isItem(lines[0]))
  ) {
    text.push(lines.shift())
  }
  return `<p>${inline(text.join('\n'))}</p>`
}

/** Code first: nothing inside it is markup. */
function inline(text) {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`[^`]+`$/.test(part) ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : emphasis(escapeHtml(part)),
    )
    .join('')
    .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, '<img src="$2" alt="$1">')
    .replace(
      /\[((?:[^\]]|\](?!\())+)\]\(([^)\s]+)\)/g,
      (_, shown, target) => `<a href="${pageOf(target)}">${shown}</a>`,
    )
}

function emphasis(text) {
  return text
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(])\*([^*\s][^*]*)\*/g, '$1<em>$2</em>')
    .replace(/&lt;(https?:[^&]+)&gt;/g, '<a href="$1">$1</a>')
}

/** Pages link to pages. */
function pageOf(target) {
  return /^https?:/.test(target)
    ? target
    : target.replace(/README\.md(#|$)/, 'index.html$1').replace(/\.md(#|$)/, '.html$1')
}

/** As GitHub makes them, so that links work in both places. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
