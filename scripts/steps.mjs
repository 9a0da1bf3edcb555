/**
 * Prepares a start: runs the steps that are due, one after the other, and says what it does and how
 * long that usually takes, so that minutes are never silent. It says it on standard error, in whole
 * lines, which read the same in a terminal and in a log. Nothing is said if nothing is due.
 */

/** A step: `does` says what, `seconds` how long that usually takes on two cores. */
export async function runSteps(steps, { say = console.error, everyMs = 10_000 } = {}) {
  const due = steps.filter(({ isDue }) => isDue())
  if (due.length === 0) return
  const usual = due.reduce((sum, { seconds }) => sum + seconds, 0)
  if (due.length > 1)
    say(
      `Preparing the hub in ${due.length} steps: about ${usual} s in all, more on a busy machine.`,
    )
  const begun = performance.now()
  for (const [at, { does, seconds, run }] of due.entries()) {
    const stepBegun = performance.now()
    say(`${at + 1} of ${due.length}: ${does} (about ${seconds} s) …`)
    const timer = setInterval(() => say(`  … ${does}, ${since(stepBegun)} so far`), everyMs)
    try {
      await run()
    } finally {
      clearInterval(timer)
    }
  }
  say(`Ready after ${since(begun)}.`)
}

const since = (begun) => `${Math.round((performance.now() - begun) / 1_000)} s`
