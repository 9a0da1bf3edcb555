/** Types of providers whose work people do, or programs of theirs. */
export const peopleTypes: ReadonlySet<string> = new Set(['manual', 'api'])
