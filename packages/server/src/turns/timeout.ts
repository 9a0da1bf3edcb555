/** Waits for a result, but no longer than this; the work itself goes on. */
export class TimedOut extends Error {
  override name = 'TimedOut'
}

export async function withTimeout<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimedOut(`no response within ${milliseconds} ms`)),
      milliseconds,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
