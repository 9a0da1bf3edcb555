/** The part of the package that we use; it has no types of its own. */
declare module 'snowball-stemmers' {
  type Stemmer = { stem(word: string): string }
  const factory: { newStemmer(algorithm: string): Stemmer }
  export default factory
}
