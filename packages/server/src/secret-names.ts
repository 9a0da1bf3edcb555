/** Names under which a secret stands, in a log line, a body or a URL. Too many rather than too few. */
export const removed = '[removed]'

export const secretWord =
  'secret|passw|passphrase|pwd|token(?![-_ ]?(?:type|endpoint|seconds))|authori[sz]ation|credential|assertion|cookie' +
  '|(?:api|access|account|private|master|signing|shared|encryption)[-_. ]?key|signature|signed[-_. ]?ur[il]' +
  '|(?:upload|multipart|download)[-_. ]?ur[il]|jwt|bearer'

const named = new RegExp(secretWord, 'i')
const shortNames = /^(?:sig|pass|pin|otp|sas)$/i

export const isSecretName = (name: string): boolean => named.test(name) || shortNames.test(name)
