/** Runs in a worker: tokens of long texts, and how alike two are. */
export { likenessOfTexts, tokensOfAll } from '@dragoman/text/likeness'
