/**
 * Measures how a reader's time grows with its text: twice the length may take at most three times
 * as long, within a limit per character. A first look compares a long text with an eighth of it;
 * only a suspect is measured closely, at one length, twice and four times that. Uses the processor
 * time of its own thread and the best of several tries, so that a busy machine changes no verdict.
 */
import { readFileSync } from 'node:fs'

export type Read = (text: string) => unknown

export type GrowthPlan = {
  /** In characters: the first length to try, and half of the last. */
  readonly least: number
  readonly most: number
  /** Lengths grow until a reading takes this long: below it, noise decides. */
  readonly milliseconds: number
  /** Milliseconds so far; without it, the processor time of this thread. */
  readonly clock?: () => number
}

export type Verdict = {
  /** What is wrong with a reader's growth on these texts; undefined if nothing is. */
  readonly found?: string | undefined
  /** How many times as long twice the text takes. */
  readonly times: number
  /** Whether the first look was not enough. */
  readonly isClose: boolean
}

/** Three, not two: memory, and the work of collecting it, grows in steps. */
const maxTimes = 3
/** The longest inline text, 1 MiB, is then read within a worker's time limit. */
const maxMicroseconds = 8
const tries = 6
/** Noise does not affect a reading of this length. */
const sureMs = 500
/**
 * The first look: how much shorter the other text is, and how many times the time per character
 * makes a suspect.
 */
const span = 8
const suspectTimes = 1.5
/**
 * A closer look at longer texts is worth it: part of the work may grow with the square of the
 * length.
 */
const openTimes = 2.3
/** So that a reader that is cubic does not take minutes. */
const maxStep = 16

type Growth = { readonly length: number; readonly once: number; readonly twice: number }
type Make = (length: number) => string

export async function findGrowth(read: Read, make: Make, plan: GrowthPlan): Promise<Verdict> {
  const seen = await look(read, make, plan)
  if (seen.ms < plan.milliseconds) return { times: 0, isClose: false }
  if (!seen.isSuspect) return { times: seen.times, isClose: false }
  return { ...(await lookClosely(read, make, plan)), isClose: true }
}

/** The longest text that is worth it, and an eighth of it. */
async function look(read: Read, make: Make, plan: GrowthPlan) {
  const longest = 2 * plan.most
  let length = plan.least
  let ms = await timeOf(read, make(length), plan)
  while (ms < plan.milliseconds && length < longest) {
    const step = Math.min(maxStep, Math.max(2, (1.1 * plan.milliseconds) / Math.max(ms, 0.001)))
    length = Math.min(longest, Math.ceil(length * step))
    ms = await timeOf(read, make(length), plan)
  }
  if (ms < plan.milliseconds) return { ms, times: 0, isSuspect: false }
  const short = make(length / span)
  // The code is warm now; the least of three is what the text takes.
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < 3; at += 1) least = Math.min(least, await timeOf(read, short, plan))
  const perCharacter = () => ms / span / least
  if (perCharacter() > suspectTimes && ms < sureMs)
    ms = Math.min(ms, await timeOf(read, make(length), plan))
  const isSuspect = perCharacter() > suspectTimes || (ms * 1_000) / length > maxMicroseconds
  return {
    ms: Math.max(ms, plan.milliseconds),
    times: (ms / least) ** (1 / Math.log2(span)),
    isSuspect,
  }
}

/** The verdict on a suspect. */
async function lookClosely(
  read: Read,
  make: Make,
  plan: GrowthPlan,
): Promise<Omit<Verdict, 'isClose'>> {
  for (let length = plan.least; length <= plan.most; length *= 2) {
    const found = await measure(read, make, length, plan)
    if (found.twice < plan.milliseconds) continue
    const times = found.twice / found.once
    if (!grows(found)) {
      if (isSlow(found)) return { times, found: `${say(found)}, too long a character` }
      if (times > openTimes && found.twice < sureMs && length < plan.most) continue
      return { times }
    }
    // A reader may switch to another method for longer text, and the memory it needs grows in
    // steps: growth is real if it goes on at twice the length, and holds over four times the
    // length.
    const next = await measure(read, make, 2 * length, plan)
    const isReal = grows(next) && next.twice > found.once * maxTimes ** 2
    return {
      times: Math.min(times, next.twice / next.once),
      found: isReal || isSlow(next) ? `${say(found)}; ${say(next)}` : undefined,
    }
  }
  return { times: 0 }
}

const grows = ({ once, twice }: Growth): boolean => twice > once * maxTimes
const isSlow = ({ length, twice }: Growth): boolean =>
  (twice * 1_000) / (2 * length) > maxMicroseconds
const say = ({ length, once, twice }: Growth): string =>
  `${length} characters take ${once.toFixed(1)} ms, twice as many ${twice.toFixed(1)} ms`

async function measure(read: Read, make: Make, length: number, plan: GrowthPlan): Promise<Growth> {
  const [short, long] = [make(length), make(2 * length)]
  const least = plan.milliseconds
  let found: Growth = {
    length,
    once: await timeOf(read, short, plan),
    twice: await timeOf(read, long, plan),
  }
  const again = async (text: string, best: number) => Math.min(best, await timeOf(read, text, plan))
  // The first reading warms up; a slow one would hide how much slower the next is.
  if (found.twice >= least)
    found = { ...found, once: await again(short, await again(short, found.once)) }
  // Any reading may be disturbed: further tries show the minimum.
  const isOpen = () =>
    found.twice >= least && found.twice < sureMs && (grows(found) || isSlow(found))
  for (let at = 1; at < tries && isOpen(); at++)
    found = { length, twice: await again(long, found.twice), once: await again(short, found.once) }
  return found
}

/** In milliseconds; a refusal is also a valid result. */
async function timeOf(read: Read, text: string, { clock = threadMs }: GrowthPlan): Promise<number> {
  const begun = clock()
  try {
    await read(text)
  } catch {
    // Refused.
  }
  return clock() - begun
}

const never = new Int32Array(new SharedArrayBuffer(4))

/**
 * Processor time of this thread alone: garbage collection and compilation on other threads vary
 * with the machine. Linux brings the number up to date when a thread sleeps, so this one does.
 * Without /proc it is the time of the whole process.
 */
function threadMs(): number {
  try {
    Atomics.wait(never, 0, 0, 0.01)
    const [nanoseconds = ''] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(nanoseconds) / 1_000_000
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}
