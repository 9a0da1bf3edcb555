/** Runs in a worker: the XLIFF of packages, written and read back. */
export { identify, judgeXliff, writeXliff2, writeXliff12 } from '@dragoman/text/exchange'
