/** Runs in a worker: files read, written and cut into parts. */
export { cutTexts, readFile, writeFile } from '@dragoman/text/formats'
