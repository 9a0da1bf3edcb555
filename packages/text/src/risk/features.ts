/** The numbers by which a translation is judged. Their order is that of the model file. */
import { type Counts, familiarityOf } from './counts.ts'
import { alignmentOf, type Partners } from './partners.ts'
import { type Token, tokensIn } from './tokens.ts'

export type RiskText = {
  readonly source: string
  readonly target: string
  /** The mean log-probability of a token that the engine itself gave. */
  readonly logProbability?: number | undefined
}
export type RiskTables = {
  readonly source: Counts
  readonly target: Counts
  readonly partners: Partners
}

export const formNames = [
  'sourceTokens',
  'targetTokens',
  'lengthRatio',
  'tokenRatio',
  'repetition',
  'sourceRepetition',
  'sourceCommas',
  'marksDiffer',
  'numbersDiffer',
  'capitalsDiffer',
  'sourceCapitals',
  'charactersAToken',
  'sourceCharactersAToken',
  'copied',
  'longestWord',
  'brackets',
  'endsDiffer',
  'doubled',
  'sourceNumbers',
] as const
export const textNames = [
  'sourceLevel',
  'sourceUnknown',
  'sourceUnknownPairs',
  'sourceUnknownGrams',
  'level',
  'unknown',
  'unknownPairs',
  'gramLevel',
  'unknownGrams',
  'partners',
  'alone',
  'targetPartners',
  'targetAlone',
  'run',
  'aloneWords',
  'unknownWords',
] as const
export const featureNames = [...formNames, ...textNames, 'logProbability'] as const
export const formCount = formNames.length
/** Without the log-probability, which stands last. */
export const plainCount = formNames.length + textNames.length

/** The features; `tables` are absent for a pair that no model knows. */
export function featuresOf(
  { source, target, logProbability }: RiskText,
  tables?: RiskTables,
): Float64Array {
  const features = new Float64Array(featureNames.length)
  const [from, to] = [tokensIn(source), tokensIn(target)]
  features.set(formOf(from, to, source.length / Math.max(1, target.length)))
  if (tables) features.set(textOf(from, to, tables), formCount)
  features[plainCount] = logProbability ?? 0
  return features
}

const count = (tokens: readonly Token[], is: (token: Token) => boolean): number => {
  let found = 0
  for (const token of tokens) if (is(token)) found++
  return found
}
const share = (part: number, all: number): number => part / Math.max(1, all)
const isWord = ({ kind }: Token): boolean => kind === 'WORD'
const isMark = ({ kind }: Token): boolean => kind === 'MARK'
const isNumber = ({ kind }: Token): boolean => kind === 'NUMBER'
const isCapital = (token: Token): boolean => token.isCapital
const isComma = ({ text }: Token): boolean => /^[,，、،;；]$/.test(text)
const isBracket = ({ text }: Token): boolean => /^[()（）[\]"“”„«»「」]$/.test(text)
const endings: Readonly<Record<string, string>> = { '。': '.', '।': '.', '？': '?', '！': '!' }
const endOf = (tokens: readonly Token[]): string => {
  const last = tokens.at(-1)
  return last && isMark(last) ? (endings[last.text] ?? last.text) : ''
}

function formOf(from: readonly Token[], to: readonly Token[], ratio: number): number[] {
  const lengths = to.map(({ text }) => text.length)
  const own = new Set(from.filter(isWord).map(({ hash }) => hash))
  const types = new Set(to.map(({ hash }) => hash)).size
  const numbers = difference(from, to)
  const doubled = count(
    to.slice(1).filter((one, at) => one.hash === to[at]?.hash),
    isWord,
  )
  return [
    Math.log1p(from.length),
    Math.log1p(to.length),
    Math.log(Math.max(ratio, 0.01)),
    Math.log((from.length + 1) / (to.length + 1)),
    1 - share(types, to.length),
    1 - share(new Set(from.map(({ hash }) => hash)).size, from.length),
    Math.log1p(count(from, isComma)),
    Math.log1p(Math.abs(count(from, isMark) - count(to, isMark))),
    Math.log1p(numbers),
    share(count(to, isCapital), to.length) - share(count(from, isCapital), from.length),
    share(count(from, isCapital), from.length),
    share(
      lengths.reduce((sum, length) => sum + length, 0),
      to.length,
    ),
    share(
      from.reduce((sum, { text }) => sum + text.length, 0),
      from.length,
    ),
    share(
      count(to, (token) => isWord(token) && own.has(token.hash)),
      to.length,
    ),
    Math.log1p(Math.max(0, ...lengths)),
    Math.log1p(count(from, isBracket)),
    endOf(from) === endOf(to) ? 0 : 1,
    Math.log1p(doubled),
    share(count(from, isNumber), from.length),
  ]
}

/** Numbers of one side that the other lacks. */
function difference(from: readonly Token[], to: readonly Token[]): number {
  const left = new Map<number, number>()
  for (const { hash } of from.filter(isNumber)) left.set(hash, (left.get(hash) ?? 0) + 1)
  for (const { hash } of to.filter(isNumber)) left.set(hash, (left.get(hash) ?? 0) - 1)
  return [...left.values()].reduce((sum, one) => sum + Math.abs(one), 0)
}

function textOf(from: readonly Token[], to: readonly Token[], tables: RiskTables): number[] {
  const source = familiarityOf(from, tables.source)
  const target = familiarityOf(to, tables.target)
  const aligned = alignmentOf(from, to, tables.partners)
  return [
    source.level,
    source.unknown,
    source.unknownPairs,
    source.unknownGrams,
    target.level,
    target.unknown,
    target.unknownPairs,
    target.gramLevel,
    target.unknownGrams,
    aligned.source,
    aligned.sourceAlone,
    aligned.target,
    aligned.targetAlone,
    Math.log1p(aligned.run),
    Math.log1p(aligned.sourceAlone * source.words),
    Math.log1p(target.unknown * target.words),
  ]
}
