/** The table of faults and vendors: what a connector sees. */
import { everyVendor, type VendorCase, type VendorName, vendorNames } from './every-vendor.ts'
import { type FaultName, faultNames } from './faults.ts'

/**
 * `delivered`: as if nothing had been wrong. `source`: the source is delivered, with a high risk.
 * `waits`: the request waits for the next try and shows the last. `error`: the request has an error
 * with this sentence, and the job can be sent again.
 */
export type Seen = {
  readonly sees: 'delivered' | 'source' | 'waits' | 'error'
  readonly says?: RegExp
}

const delivered: Seen = { sees: 'delivered' }
const waits = (says?: RegExp): Seen => ({ sees: 'waits', ...(says && { says }) })
const error = (says: RegExp): Seen => ({ sees: 'error', says })
const otherForm = error(/returned an unknown response format/)

type FaultRow = Seen & { readonly but?: Partial<Readonly<Record<VendorName, Seen>>> }

const table: Readonly<Record<FaultName, FaultRow>> = {
  'answers too many calls': waits(/returned 4\d\d/),
  'answers too many calls and asks for a pause': waits(/returned 4\d\d/),
  'has a quota that is used up': waits(),
  'refuses the key and repeats it': error(/returned 4\d\d: .*…/),
  'says that it lacks the pair': {
    ...error(/returned 400: .*(?:language|_lang)/i),
    but: { chat: delivered },
  },
  'fails with 500': waits(/returned 500/),
  'does not answer in time': waits(/No response within/),
  'closes the connection': waits(/The connection was closed/),
  'redirects into the network': error(/returned 307/),
  'answers 200 without a body': otherForm,
  'answers 200 with a page of HTML': otherForm,
  'cuts the JSON short': otherForm,
  'answers 200 with its error object': {
    ...waits(/returned 200: /),
    but: {
      deepl: error(/returned 200: Internal Server Error/),
      chat: error(/returned 200: The server had an error/),
    },
  },
  'leaves out half of the texts': {
    ...error(/returned 0|no translation/),
    but: { amazon: otherForm },
  },
  'adds texts': {
    ...error(/got 1 texts and returned 2/),
    but: { amazon: delivered, chat: delivered },
  },
  'gives null for a text': error(/no translation of it/),
  'gives empty texts': error(/no word in it/),
  'changes the order of the texts': delivered,
  'returns the source': { sees: 'source' },
  'answers in another language': error(/not in the language that was asked for/),
  'adds markup': error(/markup that was never sent/),
  'loses tags and placeholders': error(/the code .* came back 0 times/),
  'doubles tags and placeholders': error(/came back 2 times|crossed/),
  'changes numbers': error(/number/),
  'escapes entities twice': error(/never sent/),
  'talks about the text': error(/far too long/),
}

export function expectedOf(fault: FaultName, vendor: VendorName): Seen {
  const { but, ...usual } = table[fault]
  return but?.[vendor] ?? usual
}

/** Whether a line of `seen` is what the table says. */
export function isRight({ sees, says = /^/ }: Seen, line: string): boolean {
  if (sees === 'delivered') return line === 'delivered'
  if (sees === 'source') return line.startsWith('delivered otherwise: Hello {name}, your order')
  return line.startsWith(`${sees}: `) && says.test(line)
}

const words: Readonly<Record<Seen['sees'], string>> = {
  delivered: 'delivered',
  source: 'delivered, risk 50 or more',
  waits: 'waits',
  error: 'error',
}

/** The page of the documentation. */
export function faultsPage(): string {
  const rows = faultNames.map((fault) => {
    const cells = vendorNames.map((name) => words[expectedOf(fault, name).sees])
    return `| ${fault} | ${cells.join(' | ')} |`
  })
  const published = [
    ...new Map(vendorNames.map((name) => [everyVendor[name].vendor.name, name])),
  ].map(
    ([vendor, name]) => `- **${vendor}**: ${(everyVendor[name] as VendorCase).vendor.published}.`,
  )
  return `${[
    '# When a translation engine fails',
    '',
    'What a connector sees when an engine does something wrong. Each cell is tested against a server that is built from the published',
    'interface of its vendor and refuses what the vendor would refuse. This page is made from the table of these tests',
    '(`npx vitest run tests/engines -u` writes it).',
    '',
    '- **delivered**: the translation is complete and right. The hub asked again, or read the answer by its ids.',
    '- **delivered, risk 50 or more**: names and codes are the same in many languages, so the text is kept, with its risk.',
    '- **waits**: the request stays in SENT_TO_PROVIDER without an error. `lastTry` says why, and the hub tries again by its schedule. If a',
    '  quota is used up, the work is held and a finding says so.',
    '- **error**: the request stays in SENT_TO_PROVIDER with an error that names the reason and the text. `POST',
    '  /v2/providers/{providerId}/invocations` sends it again. Nothing of the answer is delivered.',
    '',
    'When the engine works again, every request of this table is delivered. No message contains a key, even if the engine repeats it.',
    '',
    `| An engine that … | ${vendorNames.join(' | ')} |`,
    `|---|${vendorNames.map(() => '---|').join('')}`,
    ...rows,
    '',
    'The servers follow these sources:',
    '',
    ...published,
  ].join('\n')}\n`
}
