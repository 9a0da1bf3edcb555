/**
 * The translation of an asset task as a page for the frame of the workbench. Who translates sees it
 * as it would be delivered now; who reviews, as it was delivered. The place of a segment is found
 * by marks around its text, which go into the file with it.
 */
import { randomInt } from 'node:crypto'
import { endpoints, rolesOf, type TextParts } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { type OneTask, reachTask } from '../../handover/asset-tasks.ts'
import { runSafely } from '../../language/worker/run.ts'
import { packTargets } from '../deliver-segments.ts'
import { deliveredOnly, targetOf } from '../describe-segment.ts'
import { joinDesk } from '../join-desk.ts'
import { openTargets, type Walked } from '../walk-desk.ts'
import { type Marks, type Previewed, sentencePage } from './render-preview.ts'

const module = new URL('./render-preview.ts', import.meta.url)
const writing = rolesOf(endpoints.previewTranslation)

export async function previewPage(
  hub: Hub,
  call: Call,
  at: OneTask,
  segmentId: string | undefined,
): Promise<string> {
  const request = await reachTask(hub, call, at)
  const { desk, walk } = await openTargets(hub, request)
  const mayWrite = call.caller.person?.roles.some((role) => writing.includes(role)) ?? false
  const isKnown = segmentId !== undefined && desk.placeOf(segmentId) !== undefined
  const marks: Marks | undefined = isKnown ? [newMark(), newMark()] : undefined
  const shown = ({ segment, draft }: Walked): TextParts | undefined => {
    const target = targetOf(segment, mayWrite ? draft : deliveredOnly(draft))
    return marks && segment.segmentId === segmentId
      ? [marks[0], ...(target ?? segment.source), marks[1]]
      : target
  }
  const { translated } = await joinDesk(hub, request, await packTargets(walk(), shown))
  const given: Previewed = {
    content:
      'fields' in translated
        ? { fields: [...translated.fields] }
        : { bytes: translated.bytes, isHtml: request.format === 'html' },
    language: request.target_language,
    ...(marks && { marks }),
  }
  const page = await runSafely<string | undefined>(module, 'renderPreview', [given], {
    siteId: call.caller.siteId,
  })
  return (
    page ?? sentencePage('There is no preview of this format. Download the file to look at it.')
  )
}

/** Letters only: every format writes them as they are. */
const newMark = (): string =>
  `qx${Array.from({ length: 20 }, () => String.fromCharCode(97 + randomInt(26))).join('')}xq`
