import type { TermEntry, TermStatus } from '@dragoman/contract'
import { describe, expect, it } from 'vitest'
import { openTerms } from './open-terms.ts'

const entry = (language: string, text: string, more: Partial<TermEntry> = {}): TermEntry => ({
  language,
  text,
  status: 'PREFERRED',
  ...more,
})
const term = (termId: string, ...entries: TermEntry[]) => ({ termId, entries })

/** What of the text the term is found in. */
async function foundIn(
  language: string,
  listed: string,
  text: string,
  forms: string[] = [],
): Promise<string[]> {
  const { findTerms } = await openTerms(
    [term('t', entry(language, listed, { forms }))],
    language,
    'und-und',
  )
  return findTerms(text).map(({ start, end }) => text.slice(start, end))
}

describe('a term is found in', () => {
  it.each([
    ['de', 'Rechnung', 'Die Rechnungen sind offen.', 'Rechnungen'],
    ['de-DE', 'Haus', 'Zwei Häuser.', 'Häuser'],
    ['de', 'Haus', 'Zwei Ha\u0308user.', 'Ha\u0308user'],
    ['de', 'Benutzerkonto', 'Alle Benutzerkonten löschen', 'Benutzerkonten'],
    ['de', 'offene Rechnung', 'mit offenen Rechnungen', 'offenen Rechnungen'],
    ['de', 'Straße', 'die Strassen', 'Strassen'],
    ['de', 'PKW', 'Zwei PKWs fahren', 'PKWs'],
    ['en', 'policy', 'Our policies apply.', 'policies'],
    ['en', 'Policy', 'our POLICIES apply', 'POLICIES'],
    ['en', 'criterion', 'all criteria', 'criteria'],
    ['en', 'matrix', 'two matrices', 'matrices'],
    ['en', 'run', 'It is running.', 'running'],
    ['en', 'C++', 'Use C++ here.', 'C++'],
    ['en', '.NET', 'on .NET today', '.NET'],
    ['en', 'AT&T', 'by AT&T.', 'AT&T'],
    ['en', 'e-mail address', 'your e\u2011mail  addresses', 'e\u2011mail  addresses'],
    ['en', 'user', 'the user’s name', 'user'],
    ['fr', 'cheval', 'des chevaux', 'chevaux'],
    ['fr', 'utilisateur', 'l’utilisateur', 'utilisateur'],
    ['pt', 'hospital', 'os hospitais', 'hospitais'],
    ['ru', 'счёт', 'Ваши счета', 'счета'],
    ['ru', 'счет', 'Ваш счёт', 'счёт'],
    ['fi', 'lasku', 'laskun summa', 'laskun'],
    ['tr', 'hesap', 'hesabı sil', 'hesabı'],
    ['tr', 'izin', 'İZİN VER', 'İZİN'],
    ['pl', 'faktura', 'dwie faktury', 'faktury'],
    ['ko', '계정', '계정을 삭제', '계정을'],
    ['ja', '請求書', '新しい請求書を作成', '請求書'],
    ['zh-CN', '账户', '您的账户余额', '账户'],
    ['th', 'บัญชี', 'เปิดบัญชีใหม่', 'บัญชี'],
    ['ja', 'API', 'このAPIを使う', 'API'],
  ])('%s: %s in "%s"', async (language, listed, text, found) => {
    expect(await foundIn(language, listed, text)).toEqual([found])
  })

  it('a listed form: luces is no form of luz by its letters', async () => {
    expect(await foundIn('es', 'luz', 'las luces')).toEqual([])
    expect(await foundIn('es', 'luz', 'las Luces', ['luces'])).toEqual(['Luces'])
  })
})

describe('a term is not found in', () => {
  it.each([
    ['de', 'Rechnung', 'Der Rechner ist neu.'],
    ['de', 'Haus', 'Die Hausse an der Börse, im Gartenhaus'],
    ['de', 'Benutzer', 'Das Benutzerkonto'],
    ['de', 'Küche', 'Ein Kuchen'],
    ['de', 'Zahl', 'Wir zählen.'],
    ['de', 'Konzern', 'Ein Konzert'],
    ['en', 'policy', 'Call the police.'],
    ['en', 'account', 'Ask your accountant.'],
    ['en', 'universe', 'At the university'],
    ['en', 'IT', 'Do it now.'],
    ['en', 'iPhone', 'an iphone'],
    ['en', 'Apple Pay', 'an apple pay'],
    ['en', 'credit card', 'on credit. Card payments'],
    ['en', 'C++', 'Plan C'],
    ['en', 'user', 'the username and user_name'],
    ['fr', 'cheval', 'un chevalier'],
    ['fr', 'utilisateur', 'une utilisation'],
    ['es', 'puerta', 'el puerto'],
    ['es', 'cuenta', 'un cuento'],
    ['es', 'luz', 'la lucha'],
    ['ru', 'счёт', 'счастье и счётчик'],
    ['ja', 'API', 'RAPID'],
    ['pl', 'faktura', 'fabryka'],
  ])('%s: %s in "%s"', async (language, listed, text) => {
    expect(await foundIn(language, listed, text)).toEqual([])
  })
})

describe('of several terms', () => {
  it('the longest is found at a place, and all that have the same text', async () => {
    const { findTerms } = await openTerms(
      [
        term('bank', entry('en', 'bank'), entry('de', 'Bank')),
        term('shore', entry('en', 'bank'), entry('de', 'Ufer')),
        term('account', entry('en', 'bank account'), entry('de', 'Bankkonto')),
      ],
      'en-US',
      'de-DE',
    )
    expect(
      findTerms('A bank account at the bank').map(({ termId, start }) => [termId, start]),
    ).toEqual([
      ['account', 2],
      ['bank', 22],
      ['shore', 22],
    ])
    expect(findTerms('no such word')).toEqual([])
  })

  it('an entry with the region of the text comes before one for the whole language, and other regions do not count', async () => {
    const listed = [
      term(
        't',
        entry('en', 'tax'),
        entry('de', 'Steuer'),
        entry('de_AT', 'Abgabe'),
        entry('de-CH', 'Gebühr'),
      ),
    ]
    const wanted = async (target: string) =>
      (await openTerms(listed, 'en-GB', target))
        .findTerms('tax')[0]
        ?.translations.map(({ text }) => text)
    expect(await wanted('de-at')).toEqual(['Abgabe'])
    expect(await wanted('de-de')).toEqual(['Steuer'])
    expect(await wanted('de')).toEqual(['Steuer'])
    expect(await wanted('fr-fr')).toEqual([])
  })
})

describe('a translation is judged', () => {
  const listed = [
    {
      ...term(
        'invoice',
        entry('en', 'invoice'),
        entry('de', 'Rechnung'),
        entry('de', 'Faktura', { status: 'ALLOWED' }),
        entry('de', 'Konto', { status: 'FORBIDDEN' }),
      ),
      definition: 'A bill',
    },
    term('account', entry('en', 'account'), entry('de', 'Konto')),
    term('phone', entry('de', 'Handy', { status: 'FORBIDDEN' }), entry('de', 'Mobiltelefon')),
    term('bank', entry('en', 'bank'), entry('de', 'Bank')),
    term('shore', entry('en', 'bank'), entry('de', 'Ufer')),
    term('plain', entry('en', 'plain')),
    term('only', entry('en', 'ban'), entry('de', 'Bann', { status: 'FORBIDDEN' as TermStatus })),
  ]
  it.each([
    ['with the preferred term', 'Two invoices', 'Zwei Rechnungen', []],
    ['with an allowed term', 'Two invoices', 'Zwei Faktura', []],
    ['without it', 'Two invoices', 'Zwei Belege', ['missing invoice 4 12: Rechnung, Faktura']],
    [
      'that repeats less',
      'An invoice is an invoice',
      'Das hier',
      ['missing invoice 3 10: Rechnung, Faktura'],
    ],
    [
      'with a forbidden term',
      'The invoice',
      'Das Konto der Rechnung',
      ['forbidden Konto 4 9: Rechnung, Faktura'],
    ],
    ['whose forbidden term belongs to another', 'Account of the invoice', 'Konto der Rechnung', []],
    [
      'with a word that is always forbidden',
      'Call',
      'Mit dem Handy',
      ['forbidden Handy 8 13: Mobiltelefon'],
    ],
    ['by one of two meanings', 'The bank', 'Das Ufer', []],
    ['by none of two meanings', 'The bank', 'Das Wasser', ['missing bank 4 8: Bank, Ufer']],
    ['of a term without a translation', 'plain', 'schlicht', []],
    ['with only a forbidden translation', 'a ban', 'Verbot', []],
    ['with that forbidden translation', 'a ban', 'ein Bann', ['forbidden Bann 4 8: ']],
    ['of nothing', '', '', []],
  ])('%s', async (_, source, target, expected) => {
    const { judgeTerms } = await openTerms(listed, 'en-us', 'de-de')
    const said = judgeTerms(source, target).map(
      ({ kind, term, start, end, wanted }) =>
        `${kind} ${term} ${start} ${end}: ${wanted.join(', ')}`,
    )
    expect(said).toEqual(expected)
  })

  it('gives the definition and the notes with a hit', async () => {
    const { findTerms } = await openTerms(listed, 'en', 'de')
    expect(findTerms('Invoice')).toEqual([
      {
        termId: 'invoice',
        start: 0,
        end: 7,
        text: 'invoice',
        definition: 'A bill',
        translations: [
          { text: 'Rechnung', status: 'PREFERRED' },
          { text: 'Faktura', status: 'ALLOWED' },
          { text: 'Konto', status: 'FORBIDDEN' },
        ],
      },
    ])
  })

  it('survives texts that are no texts', async () => {
    const { judgeTerms } = await openTerms(
      [...listed, term('odd', entry('en', '\ud800'), entry('de', '™'))],
      'en',
      'de',
    )
    for (const text of ['\ud800', '\0', '™', '\u0301', 'İ'.repeat(1000), '_'.repeat(100_000)])
      expect(judgeTerms(text, text)).toEqual([])
  })
})

describe('the work of terms that begin alike', () => {
  const alike = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      term(`${at}`, entry('en', 'zap '.repeat(at + 1).trim()), entry('de', `Zapp ${at}`)),
    )

  it('is bounded, and the longest one is found', async () => {
    const { findTerms, judgeTerms } = await openTerms(alike(400), 'en', 'de')
    const used = process.cpuUsage()
    const text = 'zap '.repeat(1_000).trim()
    const found = findTerms(text)
    judgeTerms(text, text)
    const { user, system } = process.cpuUsage(used)
    // Comparing each term with each place took ten times as long.
    expect((user + system) / 1_000).toBeLessThan(2_000)
    expect(found.map(({ start, end }) => (end - start + 1) / 4)).toEqual([400, 400, 200])
  })

  it('is the same for forms, cases and other words in between', async () => {
    const many = [
      ...alike(20),
      ...['zap zone', 'Zapping', 'zap-zap zone', 'ZAP', 'zap!'].map((text, at) =>
        term(`other${at}`, entry('en', text), entry('de', 'x')),
      ),
    ]
    const { findTerms } = await openTerms(many, 'en', 'de')
    const found = (text: string) => findTerms(text).map(({ text: one }) => one)
    expect(found('a zap zone')).toEqual(['zap zone'])
    expect(found('zaps zaps zones')).toEqual(['zap-zap zone'])
    expect(found('the ZAP')).toContain('ZAP')
    expect(found('zap!')).toEqual(['zap!'])
  })

  it('of equal terms some meanings are told', async () => {
    const equal = Array.from({ length: 3_000 }, (_, at) =>
      term(`${at}`, entry('en', 'same'), entry('de', `gleich ${at}`)),
    )
    const { findTerms } = await openTerms(equal, 'en', 'de')
    expect(findTerms('same '.repeat(50))).toHaveLength(50 * 32)
    const signs = await openTerms(
      equal.map(({ termId, entries }) => ({
        termId,
        entries: entries.map((one) => ({ ...one, text: 'C++' })),
      })),
      'en',
      'de',
    )
    expect(signs.findTerms('C++ '.repeat(50))).toHaveLength(50 * 32)
  })

  it('in a language without blanks is bounded, too', async () => {
    const terms = Array.from({ length: 300 }, (_, at) =>
      term(`${at}`, entry('ja', '請'.repeat(at + 1)), entry('de', `Zapp ${at}`)),
    )
    const { findTerms } = await openTerms(terms, 'ja', 'de')
    expect(findTerms('請'.repeat(1_000)).map(({ start, end }) => end - start)).toEqual([
      ...[300, 300, 300, 100],
    ])
  })
})
