/** Runs in a worker: the checks of texts and of whole deliveries. */
export {
  checkText,
  checkTexts,
  compareUnits,
  judgeCheckedFields,
  judgeCheckedFile,
} from '@dragoman/text/checks'
