/**
 * The partial uploads of a file (TUS concatenation): together never larger than one file, and only
 * so many at a time. Pure.
 */
import { addDuration, HubError, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { UploadRow } from '../../store/tables.ts'
import { isHeld } from './writer-lock.ts'

/** Whether all bytes of the upload are there. */
export const isReceived = ({
  received,
  length,
  deferred,
}: Pick<UploadRow, 'received' | 'length' | 'deferred'>) => deferred === 0 && received === length

/** Whether the upload is one part of a file. */
export const isPart = ({ concat }: Pick<UploadRow, 'concat'>): boolean => concat === 'partial'

/** After this long without a byte, a part counts as abandoned if its room is needed. */
const idleMs = 3_600_000

/** The bytes that an upload has or will have. */
export const sizeOf = ({ deferred, received, length }: UploadRow): number =>
  deferred === 1 ? received : length

const sum = (uploads: readonly UploadRow[]): number =>
  uploads.reduce((all, one) => all + sizeOf(one), 0)

/**
 * Returns the parts that stay beside a new one: all of them, or those not abandoned. Throws if it
 * fits beside neither.
 */
export function mustFitBeside(
  hub: Hub,
  parts: readonly UploadRow[],
  added: UploadRow,
): readonly UploadRow[] {
  if (fits(parts, added)) return parts
  const since = addDuration(hub.clock.now() - idleMs, hub.config.transferLife)
  const busy = parts.filter((part) => part.expires_at > since || isHeld(hub, part))
  if (fits(busy, added)) return busy
  if (busy.length >= limits.partialUploads)
    throw new HubError('INVALID_REQUEST', {
      because: `a file can have ${limits.partialUploads} partial uploads at a time; join or delete some of them first.`,
    })
  throw tooMuch()
}

const fits = (parts: readonly UploadRow[], added: UploadRow): boolean =>
  parts.length < limits.partialUploads && sum(parts) + sizeOf(added) <= limits.fileBytes

/** Returns the size of the whole file if this part has this size. */
export function mustFitSiblings(
  uploads: readonly UploadRow[],
  part: UploadRow,
  size: number,
): number {
  const whole = sum(uploads.filter(({ upload_id }) => upload_id !== part.upload_id)) + size
  if (whole > limits.fileBytes) throw tooMuch()
  return whole
}

export const tooMuch = (): HubError =>
  new HubError('FILE_TOO_LARGE', {
    limit: limits.fileBytes,
    way: 'all partial uploads of one file together',
  })
