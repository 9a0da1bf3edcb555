/**
 * The checks of one text that a provider sends, with the severities of its site. Nothing is stored.
 */
import {
  type CheckedText,
  type CheckFindings,
  HubError,
  type TextParts,
  type TextTag,
} from '@dragoman/contract'
import {
  type CheckFinding,
  checkText,
  type Languages,
  type TextPair,
  termSentencesInTurns,
  withSeverities,
} from '@dragoman/text/checks'
import { partsIn } from '@dragoman/text/likeness'
import { placeholdersIn, type WireText, wireOf } from '@dragoman/text/placeholders'
import type { Hub } from '../../../hub.ts'
import { openPauses } from '../../../turns/pauses.ts'
import type { Call } from '../../access/caller.ts'
import { termsFor } from '../terms/known-terms.ts'
import { isSmall, runSafely, textWork } from '../worker/run.ts'
import { findCheckSettings } from './check-settings.ts'

export async function checkTranslation(
  hub: Hub,
  call: Call,
  input: CheckedText,
): Promise<CheckFindings> {
  const { maxLength } = input
  const { text: source, tags } = sourceIn(input)
  const target = typeof input.target === 'string' ? partsIn(input.target, tags) : input.target
  mustBeKnown(tags, { source, target })
  const settings = await findCheckSettings(hub, call)
  const languages = [input.sourceNativeLanguageCode, input.targetNativeLanguageCode] as const
  const matcher = await termsFor(hub, call.caller.siteId, ...languages)
  const pair: TextPair & Languages = {
    terms: await termSentencesInTurns(matcher, source, target, openPauses()),
    source,
    tags: [...tags],
    target,
    maxLength,
    sourceLanguage: input.sourceNativeLanguageCode,
    targetLanguage: input.targetNativeLanguageCode,
  }
  const strings = [...source, ...target].filter((part) => typeof part === 'string')
  const found = isSmall(strings)
    ? checkText(pair)
    : await runSafely<CheckFinding[]>(textWork.checks, 'checkText', [pair], {
        siteId: call.caller.siteId,
      })
  return { checks: withSeverities(found, settings) }
}

/** The codes of a string are those that it has, unless `tags` says what they are. */
function sourceIn({ source, tags }: CheckedText): WireText {
  if (typeof source !== 'string') return { text: source, tags: tags ?? placeholdersIn(source) }
  return tags ? { text: partsIn(source, tags), tags } : wireOf(source)
}

/** Every number in the texts, and every pair, names a tag; each tag is described once. */
function mustBeKnown(
  tags: readonly TextTag[],
  texts: Readonly<Record<'source' | 'target', TextParts>>,
): void {
  const known = new Set(tags.map(({ tag }) => tag))
  const details: { path: string; message: string }[] = []
  const seen = new Set<number>()
  tags.forEach(({ tag, pair }, at) => {
    if (seen.has(tag)) details.push({ path: `/tags/${at}/tag`, message: `repeats the tag ${tag}` })
    if (pair !== undefined && !known.has(pair))
      details.push({ path: `/tags/${at}/pair`, message: unknown(pair) })
    seen.add(tag)
  })
  for (const [name, parts] of Object.entries(texts))
    parts.forEach((part, at) => {
      if (typeof part !== 'string' && !known.has(part.tag))
        details.push({ path: `/${name}/${at}/tag`, message: unknown(part.tag) })
    })
  const [first] = details
  if (first)
    throw new HubError(
      'INVALID_REQUEST',
      { because: `${first.path} ${first.message}.` },
      { details: details.slice(0, 20) },
    )
}

const unknown = (tag: number): string => `names the tag ${tag}, which the source does not have`
