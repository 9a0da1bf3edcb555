/**
 * How much content is in memory at once, whatever reads it: quotes, translation, what teaches the memory. A content that finds no
 * room waits for its turn; sites take turns, and none has all of the room. What waits for a translation engine has a room of its own,
 * so that a slow engine keeps nobody else waiting.
 */
import { limits } from '@dragoman/contract/wire'
import { openGate, throughGate } from '../../gate.ts'

const room = () => openGate(limits.contentBytesAtOnce, limits.contentBytesAtOnce / 2)
const rooms = { here: room(), outside: room() }

export const holdContent = <T>(
  where: keyof typeof rooms,
  siteId: string,
  bytes: number,
  act: () => Promise<T>,
): Promise<T> => throughGate(rooms[where], siteId, bytes, act)

/** In the memory of this process now. */
export const bytesInFlight = (): number => rooms.here.inside() + rooms.outside.inside()
