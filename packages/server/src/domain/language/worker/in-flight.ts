/**
 * Limits how much content is in memory at once, for quotes, translation and the translation memory.
 * Content beyond the limit waits; sites take turns, and no site may use all of it. Content that
 * waits for a translation engine has a separate limit, so that a slow engine delays nobody else.
 */
import { limits } from '@dragoman/contract/wire'
import { bounds } from '@dragoman/text/formats'
import { openGate, throughGate } from '../../../turns/gate.ts'

const room = () => openGate(limits.contentBytesAtOnce, limits.contentBytesAtOnce / 2)
const rooms = { here: room(), outside: room() }

export const holdContent = <T>(
  where: keyof typeof rooms,
  siteId: string,
  bytes: number,
  act: () => Promise<T>,
): Promise<T> => throughGate(rooms[where], siteId, bytes, act)

/**
 * What a content weighs here: its bytes, and the pages of as many segments as so many bytes can
 * have.
 */
export const weightOf = (bytes: number): number =>
  bytes + Math.min(bytes / 2, bounds.segments) * bytesOfSegment
const bytesOfSegment = 100

/** Currently in the memory of this process. */
export const bytesInFlight = (): number => rooms.here.inside() + rooms.outside.inside()
