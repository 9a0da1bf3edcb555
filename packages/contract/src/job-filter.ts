/**
 * The fields of the filter of job lists, and what plain words mean there: each word, or phrase in
 * double quotes, is part of the name, of the reference or of a label of the job, begins its
 * tracking id, or is its id. Case is ignored.
 */
export const jobFilterFields = {
  statusCode: 'choice',
  jobId: 'text',
  providerId: 'text',
  jobName: 'text',
  hasError: 'flag',
  poReference: 'text',
  connectorName: 'text',
  globalTrackingId: 'text',
  createdDate: 'time',
  modifiedDate: 'time',
  submittedDate: 'time',
  dueDate: 'time',
  activityDate: 'time',
  estimatedArchivalDate: 'time',
} as const
export type JobFilterField = keyof typeof jobFilterFields

export const filterOperators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const

const isId = /^[A-Za-z0-9]{10}$/

/** This many fit into a filter beside other comparisons. */
const mostWords = 6
const mostCharacters = 200

/** The words and the phrases of what someone typed. */
export const wordsIn = (text: string): string[] =>
  text
    .slice(0, mostCharacters)
    .split('"')
    .flatMap((part, at) => (at % 2 === 1 ? part.trim() : part.split(/\s/)))
    .filter((word) => word !== '')
    .slice(0, mostWords)

const isField = (word: string): boolean =>
  word in jobFilterFields || word === 'labels' || /^(?:labels|analysisCodes)(?:\.|$)/.test(word)

/**
 * Whether someone writes the filter language: a function, or a comparison with a field or with a
 * literal.
 */
export function isJobFilter(text: string): boolean {
  const words = text.split(/[\s(]/).filter((word) => word !== '')
  const [first = ''] = words.filter((word) => word.toLowerCase() !== 'not')
  if (['contains', 'startswith'].includes(first.toLowerCase()) && text.includes('(')) return true
  return words.some((word, at) => {
    const operator = words[at + 1]?.toLowerCase() ?? ''
    if (operator !== 'in' && !(filterOperators as readonly string[]).includes(operator))
      return false
    return isField(word) || /^['\d-]|^(?:true|false)$/.test(words[at + 2] ?? '')
  })
}

/** Plain words in the filter language; empty if there are none. */
export const filterOfWords = (text: string): string =>
  wordsIn(text)
    .map((word) => {
      const quoted = `'${word.replaceAll("'", "''")}'`
      const parts = ['jobName', 'poReference', 'labels'].map(
        (field) => `contains(${field},${quoted})`,
      )
      if (isId.test(word)) parts.push(`jobId eq ${quoted}`)
      // Every job has one, of random letters: a short word would match by chance.
      if (word.length > 5) parts.push(`startswith(globalTrackingId,${quoted})`)
      return `(${parts.join(' or ')})`
    })
    .join(' and ')
