/** Names of secrets in a log line, a body or a URL: rather too many than too few. */
export const removed = '[removed]'

export const secretWord =
  'secret|passw|passphrase|pwd|token(?![-_ ]?(?:type|endpoint|seconds))|authori[sz]ation|credential|assertion|cookie' +
  '|(?:api|access|account|private|master|signing|shared|encryption)[-_. ]?key|signature|signed[-_. ]?ur[il]' +
  '|(?:upload|multipart|download)[-_. ]?ur[il]|jwt|bearer|recovery[-_. ]?codes?'

const named = new RegExp(secretWord, 'i')
const shortNames = /^(?:sig|pass|pin|otp|sas)$/i

/** A log line has the same few names again and again; callers can make up others. */
const judged = new Map<string, boolean>()
const maxJudged = 1_000

export function isSecretName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const isSecret = named.test(name) || shortNames.test(name)
  if (judged.size < maxJudged && name.length <= 40) judged.set(name, isSecret)
  return isSecret
}
