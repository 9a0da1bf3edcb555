/**
 * How many bytes of memory a reading asks for, whether or not they are given back at once. A reader
 * that makes an object for each character, or copies all it has read again and again, shows here;
 * the number hardly depends on the machine.
 */
import { type HeapProfiler, Session } from 'node:inspector/promises'
import type { Read } from './campaigns/growth.ts'

/**
 * The most bytes for a character of a long text: it is decoded, found, translated, escaped and
 * written. An object for each takes more.
 */
export const bytesPerCharacter = 60

/** A refusal is a valid result. Nothing else may run in the process meanwhile. */
export async function allocatedBytes(read: Read, text: string): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.enable')
  await session.post('HeapProfiler.startSampling', every)
  try {
    await read(text)
  } catch {
    // Refused.
  }
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return sum(profile.head)
}

/**
 * The two flags are missing from the types: without them, what is collected meanwhile does not
 * count.
 */
const every = {
  samplingInterval: 4_096,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
} as HeapProfiler.StartSamplingParameterType

const sum = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((all, child) => all + sum(child), selfSize)
