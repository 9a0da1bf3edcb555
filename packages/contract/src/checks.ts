/**
 * Every check of a translation (contract, section 13): what it finds, how severe that is, and how
 * to fix it. The server runs them in one place (packages/text/src/checks), and docs/checks.md is
 * generated from these rows.
 */
export const checkSeverities = ['BLOCKING', 'WARNING'] as const
export type CheckSeverity = (typeof checkSeverities)[number]

/** What a site may ask for. OFF: the check does not run. */
export const checkSettings = [...checkSeverities, 'OFF'] as const
export type CheckSetting = (typeof checkSettings)[number]

type CheckRow = {
  readonly severity: CheckSeverity
  readonly finds: string
  /** What a person does about it. */
  readonly remedy: string
  /** A finding may carry the fixed translation. */
  readonly fixes?: true
  /** The sentences of its findings, each with the facts in it. */
  readonly says: Readonly<Record<string, readonly string[]>>
}

export const checks = {
  'tags.missing': {
    severity: 'BLOCKING',
    finds: 'A tag or placeholder of the source that the translation does not have.',
    remedy: 'Insert the tag where it belongs in the translation.',
    fixes: true,
    says: { placeholder: ['names', 'count'], tag: ['names', 'count'] },
  },
  'tags.extra': {
    severity: 'BLOCKING',
    finds: 'A tag or placeholder that the source does not have, or has less often.',
    remedy: 'Remove it.',
    says: {
      placeholder: ['names', 'count'],
      tag: ['names', 'count'],
      placeholderAgain: ['names', 'count'],
      tagAgain: ['names', 'count'],
    },
  },
  'tags.order': {
    severity: 'BLOCKING',
    finds:
      'Unnumbered placeholders, such as `%s` and `%d`, in another order: a program fills them in by their order. Named and numbered ones may move.',
    remedy: 'Restore their order, or ask for a source with numbered placeholders.',
    says: { order: ['names', 'count'], place: ['names', 'count', 'found', 'wanted'] },
  },
  'tags.nesting': {
    severity: 'BLOCKING',
    finds:
      'A pair of tags that closes before it opens, crosses another pair, has lost its text, or has left its sentence.',
    remedy: 'Put the tags around the words that translate those of the source.',
    says: {
      closesFirst: ['name'],
      noText: ['name'],
      crosses: ['name'],
      otherSentence: ['name', 'sentence'],
      behindEnd: ['name'],
    },
  },
  empty: {
    severity: 'BLOCKING',
    finds: 'No text, where the source has text.',
    remedy: 'Translate the text.',
    says: { empty: [] },
  },
  length: {
    severity: 'BLOCKING',
    finds:
      'A text that is longer than its place in the file or the product allows. Tags do not count.',
    remedy: 'Shorten the translation.',
    says: { characters: ['count', 'most'], bytes: ['count', 'most'] },
  },
  leftover: {
    severity: 'BLOCKING',
    finds:
      'Source text that stands untranslated beside the translation, as tools write it that put new text in front of old tagged content.',
    remedy: 'Remove the source text, and put its tags around the translated words.',
    says: { beside: ['text'] },
  },
  numbers: {
    severity: 'WARNING',
    finds:
      'A missing, changed or added number. Numbers are compared by value: 1,000.50 in English is 1.000,50 in German, and "two" is 2, 十万 is 100,000 and "14 billion" is 140亿.',
    remedy: 'Write the number of the source, in the form of the target language.',
    fixes: true,
    says: {
      missing: ['names', 'count'],
      added: ['names', 'count'],
      other: ['number', 'written', 'wanted'],
      otherForm: ['number', 'written', 'wanted'],
    },
  },
  punctuation: {
    severity: 'WARNING',
    finds:
      'A different punctuation mark at the end than in the source, allowing for the marks of the target language.',
    remedy: 'End the translation as the source ends.',
    fixes: true,
    says: {
      added: ['mark'],
      missing: ['mark'],
      other: ['mark', 'found'],
      questionStart: ['open'],
      exclamationStart: ['open'],
    },
  },
  spaces: {
    severity: 'WARNING',
    finds:
      'Different spaces at the start or the end, two spaces in a row, a space before a punctuation mark; in French, a missing no-break space.',
    remedy: 'Correct the spaces.',
    fixes: true,
    says: {
      startAdded: [],
      endAdded: [],
      startMissing: [],
      endMissing: [],
      startCount: ['count', 'wanted'],
      endCount: ['count', 'wanted'],
      double: [],
      french: ['marks'],
      beforeMark: ['mark'],
    },
  },
  newlines: {
    severity: 'WARNING',
    finds: 'More or fewer line breaks than in the source.',
    remedy: 'Break lines as the source does.',
    fixes: true,
    says: { count: ['wanted', 'count'] },
  },
  brackets: {
    severity: 'WARNING',
    finds: 'A missing or added bracket.',
    remedy: 'Close every bracket that opens, and keep those of the source.',
    fixes: true,
    says: { added: ['name'], missing: ['name'] },
  },
  doubled: {
    severity: 'WARNING',
    finds: 'A word twice in a row, where the source has no such word.',
    remedy: 'Remove one of the two.',
    fixes: true,
    says: { twice: ['word'] },
  },
  same: {
    severity: 'WARNING',
    finds:
      'A translation that equals its source. Names, codes, numbers and other regions of the same language are no finding.',
    remedy: 'Translate the text, or keep it if it does not need a translation.',
    says: { same: ['text'] },
  },
  repeat: {
    severity: 'WARNING',
    finds: 'The same source text with different translations in one file.',
    remedy: 'Use one translation, unless the texts mean different things.',
    says: { otherTranslation: ['where'] },
  },
  reused: {
    severity: 'WARNING',
    finds: 'Different source texts with the same translation in one file.',
    remedy: 'Check that the translation is in the right place.',
    says: { otherSource: ['where'] },
  },
  characters: {
    severity: 'WARNING',
    finds:
      'Invisible or broken characters that the source does not have: controls, zero-width spaces, marks of direction, U+FFFD, half of a surrogate pair.',
    remedy: 'Remove them, or type the text again.',
    fixes: true,
    says: { character: ['code'], surrogate: ['code'] },
  },
  links: {
    severity: 'WARNING',
    finds: 'A URL, e-mail address or path that is missing, changed or added.',
    remedy: 'Copy it from the source, unless a page in the target language is meant.',
    says: { missing: ['names', 'count'], added: ['names', 'count'] },
  },
  plurals: {
    severity: 'WARNING',
    finds:
      'A plural form that the target language needs by CLDR and the translation does not have.',
    remedy: 'Add the missing form.',
    says: { argument: ['argument', 'names', 'count'], forms: ['names', 'count'] },
  },
  html: {
    severity: 'WARNING',
    finds:
      'HTML that runs code and is not in the source: `script` and similar elements, event attributes, `javascript:` addresses.',
    remedy: 'Remove it.',
    says: { code: ['names', 'count'] },
  },
  terms: {
    severity: 'WARNING',
    finds:
      'A term of the source without its translation from the list of terms, or a forbidden term.',
    remedy: 'Use the preferred term.',
    says: { missing: ['term', 'names'], forbidden: ['term'], instead: ['term', 'names'] },
  },
  fuzzy: {
    severity: 'WARNING',
    finds: 'A fuzzy match that was confirmed as it was offered.',
    remedy: 'Adapt the match to the source.',
    says: { unchanged: ['percent'] },
  },
} as const satisfies Record<string, CheckRow>

export type CheckName = keyof typeof checks
export const checkNames = Object.keys(checks) as CheckName[]
export const checkOf = (name: CheckName): CheckRow => checks[name]
