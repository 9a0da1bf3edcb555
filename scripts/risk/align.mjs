/**
 * IBM model 1 in both directions: which word of one side stands for which of the other, learned
 * from parallel texts by four rounds of expectation and maximisation.
 */
const rounds = 4
/** The word of no side, for what has no partner. */
const nothing = 0

/**
 * `parallel`: pairs of lists of hashes. Calls `take(source, target, likelihood, other)` for each
 * pair of words that stand together: of the target given the source, and of the source given the
 * target.
 */
export function align(parallel, take) {
  const [sources, targets] = [openIds(), openIds()]
  const cells = openCells()
  const texts = parallel.map(([from, to]) => {
    const source = Int32Array.of(nothing, ...Array.from(from, sources.idOf))
    const target = Int32Array.of(nothing, ...Array.from(to, targets.idOf))
    const own = new Int32Array(source.length * target.length)
    for (let row = 0, at = 0; row < source.length; row++)
      for (let column = 0; column < target.length; column++)
        own[at++] = cells.cellOf(source[row], target[column])
    return { rows: source.length, columns: target.length, cells: own }
  })
  const { count, owners, others } = cells
  const likelihood = learn(texts, owners.subarray(0, count()), sources.count(), false)
  const back = learn(texts, others.subarray(0, count()), targets.count(), true)
  for (let cell = 0; cell < count(); cell++)
    if (owners[cell] !== nothing && others[cell] !== nothing)
      take(sources.wordOf(owners[cell]), targets.wordOf(others[cell]), likelihood[cell], back[cell])
}

function openIds() {
  const [ids, words] = [new Map(), [-1]]
  return {
    idOf: (word) => {
      let id = ids.get(word)
      if (id === undefined) {
        id = words.push(word) - 1
        ids.set(word, id)
      }
      return id
    },
    wordOf: (id) => words[id],
    count: () => words.length,
  }
}

const places = 2 ** 23

/** A number for each pair of ids, by open addressing. */
function openCells() {
  const table = new Int32Array(places).fill(-1)
  const [owners, others] = [new Int32Array(places / 2), new Int32Array(places / 2)]
  let count = 0
  return {
    owners,
    others,
    count: () => count,
    cellOf: (source, target) => {
      let at = (Math.imul(source, 0x9e3779b1) ^ Math.imul(target, 0x85ebca77)) >>> 9
      for (; ; at = (at + 1) & (places - 1)) {
        const cell = table[at]
        if (cell >= 0 && owners[cell] === source && others[cell] === target) return cell
        if (cell >= 0) continue
        owners[count] = source
        others[count] = target
        table[at] = count
        return count++
      }
    },
  }
}

/** `back`: the sources given the targets. The word of no side is only a condition. */
function learn(texts, owners, size, back) {
  let likelihood = new Float64Array(owners.length).fill(1)
  for (let round = 0; round < rounds; round++) {
    const counts = new Float64Array(owners.length)
    for (const { rows, columns, cells } of texts) {
      const [words, conditions] = back ? [rows, columns] : [columns, rows]
      const [wordStep, step] = back ? [columns, 1] : [1, columns]
      for (let word = 1; word < words; word++) {
        let sum = 0
        for (let one = 0; one < conditions; one++)
          sum += likelihood[cells[word * wordStep + one * step]]
        for (let one = 0; one < conditions; one++) {
          const cell = cells[word * wordStep + one * step]
          counts[cell] += likelihood[cell] / sum
        }
      }
    }
    const totals = new Float64Array(size)
    for (let cell = 0; cell < counts.length; cell++) totals[owners[cell]] += counts[cell]
    likelihood = counts
    for (let cell = 0; cell < counts.length; cell++)
      if (counts[cell] > 0) likelihood[cell] = counts[cell] / totals[owners[cell]]
  }
  return likelihood
}
