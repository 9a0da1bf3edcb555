/** One thing after the other: two editors who press at once, and a delivery in between. */
export function openTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (act) => {
    const turn = last.then(act, act)
    last = turn.catch(() => {})
    return turn
  }
}
