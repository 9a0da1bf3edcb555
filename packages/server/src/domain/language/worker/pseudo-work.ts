/** Runs in a worker: pseudo-translation of files and of many texts. */
export { pseudoStrings, pseudoWithRemarks } from '@dragoman/text/pseudo'
