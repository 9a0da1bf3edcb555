/**
 * The YAML of locale files, read line by line: block maps and lists, plain, quoted and block
 * scalars, anchors, comments, brackets on one line. It finds what the library finds, in about a
 * quarter of the time. It gives up on anything else (tags, explicit keys, several documents, tabs,
 * odd indentation), and the library reads the file.
 */
import { mustFitNesting } from '../bounds.ts'
import { escapeId } from '../define-format.ts'
import { blockValue } from './yaml-block.ts'
import { wordsInBrackets } from './yaml-brackets.ts'
import {
  blockExtent,
  type Extent,
  isBlank,
  isDashAt,
  isRestEmpty,
  keyAt,
  lineAt,
  plainExtent,
  quotedExtent,
  skipBlanks,
  startsPlain,
  type YamlLine,
} from './yaml-extents.ts'
import { resolveBlock, resolveFlow, type Scalar, walkBrackets } from './yaml-walk.ts'

type Path = readonly string[]
type Frame = {
  readonly column: number
  readonly isList: boolean
  readonly path: Path
  items: number
}
/** A key or a dash whose value is on the lines that follow. */
type Waiting = { readonly column: number; readonly inList: boolean; readonly path: Path }

/** Each scalar in turn. At last undefined if it gives up: what it has found does not count then. */
export function* scanYaml(text: string): Generator<Scalar | undefined> {
  if ((text.includes('\r') && /\r(?!\n)/.test(text)) || text.startsWith('\ufeff'))
    return yield undefined
  let found: Scalar[] = []
  const report = (scalar: Scalar) => found.push(scalar)
  const scan: Scan = { text, report, frames: [], waiting: { column: -1, inList: true, path: [] } }
  let isMarked = false
  for (let at = 0; at < text.length; ) {
    const line = lineAt(text, at)
    let next: number | undefined = line.next
    if (line.column === 0 && (text.startsWith('---', at) || text.startsWith('...', at))) {
      if (isMarked || scan.frames.length > 0 || text.slice(at, line.end) !== '---')
        return yield undefined
      isMarked = true
    } else if (!isBlank(line) && text[line.from] !== '#') next = readLine(scan, line)
    if (next === undefined) return yield undefined
    at = next
    if (found.length === 0) continue
    const reported = found
    found = []
    for (const scalar of reported) yield scalar
  }
}

type Scan = {
  readonly text: string
  readonly report: (scalar: Scalar) => void
  readonly frames: Frame[]
  waiting: Waiting | undefined
}
/** Where reading goes on, or undefined to give up. */
type Next = number | undefined

function readLine(scan: Scan, line: YamlLine): Next {
  const frame = enter(scan, line)
  if (!frame) return undefined
  return frame.isList ? readItem(scan, frame, line) : readPair(scan, frame, line.from, line)
}

/** The map or list that a line belongs to, by its indentation. */
function enter(scan: Scan, line: YamlLine): Frame | undefined {
  const { text, frames, waiting } = scan
  const isList = isDashAt(text, line)
  scan.waiting = undefined
  const isBeside = isList && waiting?.inList === false && line.column === waiting.column
  if (waiting && (line.column > waiting.column || isBeside))
    return open(scan, line.column, isList, waiting.path)
  for (let top = frames.at(-1); top; top = frames.at(-1)) {
    if (top.column < line.column || (top.column === line.column && (isList || !top.isList))) break
    frames.pop()
  }
  const top = frames.at(-1)
  return top?.column === line.column && top.isList === isList ? top : undefined
}

function open({ frames }: Scan, column: number, isList: boolean, path: Path): Frame {
  mustFitNesting(path.length + 1)
  const frame = { column, isList, path, items: 0 }
  frames.push(frame)
  return frame
}

function readItem(scan: Scan, frame: Frame, line: YamlLine): Next {
  const { text } = scan
  const path = [...frame.path, String(frame.items++)]
  const from = skipBlanks(text, line.from + 1)
  if (isDashAt(text, { from, end: line.end })) return undefined
  if (!keyAt(text, from, line.end))
    return readValue(scan, { column: frame.column, inList: true, path }, from, line)
  return readPair(scan, open(scan, line.column + from - line.from, false, path), from, line)
}

function readPair(scan: Scan, { path, column }: Frame, from: number, line: YamlLine): Next {
  const key = keyAt(scan.text, from, line.end)
  if (!key) return undefined
  const place = { column, inList: false, path: [...path, escapeId(key.name)] }
  return readValue(scan, place, skipBlanks(scan.text, key.after), line)
}

function readValue(scan: Scan, place: Waiting, from: number, line: YamlLine): Next {
  const { text } = scan
  const first = text.charAt(from)
  if (from >= line.end || first === '#') {
    scan.waiting = place
    return line.next
  }
  if (first === '&' || first === '*') {
    const end = nameEnd(text, from, line.end)
    if (end === undefined) return undefined
    if (first === '*') return isRestEmpty(text, end, line.end) ? line.next : undefined
    const value = skipBlanks(text, end)
    return '&*'.includes(text[value] ?? ' ') ? undefined : readValue(scan, place, value, line)
  }
  if (first === '[' || first === '{') return readBrackets(scan, place, from, line)
  if (first === '|' || first === '>') return readBlock(scan, place, from, line)
  return readFlow(scan, place, from, line)
}

/** Behind the name of an anchor or an alias. */
function nameEnd(text: string, from: number, end: number): number | undefined {
  let at = from + 1
  while (at < end && /[\w.-]/.test(text.charAt(at))) at += 1
  return at > from + 1 && (at >= end || text[at] === ' ') ? at : undefined
}

function readFlow(scan: Scan, { path, column }: Waiting, from: number, line: YamlLine): Next {
  const { text, report } = scan
  const quote = text.charAt(from)
  const style = quote === '"' ? 'double' : quote === "'" ? 'single' : 'plain'
  let extent: Extent | undefined
  if (style !== 'plain') extent = quotedExtent(text, from, line, column)
  else if (startsPlain(text, from, line.end)) extent = plainExtent(text, from, line, column)
  if (!extent) return undefined
  const { end, next } = extent
  const value = resolveFlow(style, text.slice(from, end))
  if (value === undefined) return undefined
  report({ path, style, start: from, end, value, inFlow: false, tag: undefined })
  return next
}

function readBlock(scan: Scan, { path, column }: Waiting, from: number, line: YamlLine): Next {
  const { text, report } = scan
  const block = blockExtent(text, from, line, column)
  if (!block) return undefined
  const { start, end, next, header } = block
  const source = text.slice(start, end)
  const value = blockValue(header, source) ?? resolveBlock(header, source)
  if (value === undefined) return undefined
  const style = header.startsWith('>') ? 'folded' : 'literal'
  report({ path, style, start, end, value, inFlow: false, tag: undefined })
  return next
}

function readBrackets(scan: Scan, { path }: Waiting, from: number, line: YamlLine): Next {
  const { text } = scan
  const found =
    wordsInBrackets(text, from, line.end, path) ??
    walkBrackets(text.slice(from, line.end), from, path)
  if (!found) return undefined
  for (const scalar of found) scan.report(scalar)
  return line.next
}
