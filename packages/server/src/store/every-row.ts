/** Reads every row of a table in the order of a unique key, a page at a time: no statement returns many rows. */
export async function* everyRow<R>(
  pageSize: number,
  select: (after: string, limit: number) => Promise<R[]>,
  keyOf: (row: R) => string,
): AsyncGenerator<R> {
  let after = ''
  for (;;) {
    const rows = await select(after, pageSize)
    yield* rows
    const last = rows.at(-1)
    if (rows.length < pageSize || last === undefined) return
    after = keyOf(last)
  }
}
