/** Runs pieces of asynchronous work one after the other, in call order. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export function openTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
