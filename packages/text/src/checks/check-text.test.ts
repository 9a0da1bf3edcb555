import {
  type CheckName,
  checkOf,
  type MaxLength,
  type TextParts,
  type TextTag,
} from '@dragoman/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CheckFinding, checkText } from './check-text.ts'

/** `~1` in a text is the tag 1. */
const parts = (text: string): TextParts =>
  text
    .split(/(~\d)/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^~\d$/.test(piece) ? { tag: Number(piece[1]) } : piece))

const bold: TextTag[] = [
  { tag: 1, kind: 'OPEN', pair: 2, shows: '<b>' },
  { tag: 2, kind: 'CLOSE', pair: 1, shows: '</b>' },
  { tag: 3, kind: 'SINGLE', shows: '<x/>' },
  { tag: 4, kind: 'OPEN', pair: 5, shows: '<i>' },
  { tag: 5, kind: 'CLOSE', pair: 4, shows: '</i>' },
]
const printf: TextTag[] = [
  { tag: 1, kind: 'PLACEHOLDER', shows: '%s' },
  { tag: 2, kind: 'PLACEHOLDER', shows: '%d' },
  { tag: 3, kind: 'PLACEHOLDER', shows: '{name}' },
  { tag: 4, kind: 'PLACEHOLDER', shows: '%1$s' },
]

type More = { readonly tags?: TextTag[]; readonly maxLength?: MaxLength }
type CheckCase = readonly [languages: string, source: string, target: string, more?: More]

function check([languages, source, target, more]: CheckCase): CheckFinding[] {
  const [sourceLanguage = '', targetLanguage = ''] = languages.split(' ')
  return checkText({
    source: parts(source),
    target: parts(target),
    tags: bold,
    sourceLanguage,
    targetLanguage,
    ...more,
  })
}

const nb = '\u00a0'
const nn = '\u202f'
const asPrintf = { tags: printf }
const atMost = (count: number, unit: MaxLength['unit'] = 'CHARACTERS') => ({
  maxLength: { count, unit },
})

const cases: Partial<
  Record<CheckName, { readonly bad: readonly CheckCase[]; readonly good: readonly CheckCase[] }>
> = {
  'tags.missing': {
    bad: [
      ['en de', 'Pay ~1now~2', 'Jetzt ~1zahlen'],
      ['en fr', 'Hello ~1', 'Bonjour', asPrintf],
      ['en ja', 'Save ~3 files', '保存'],
      ['en de', 'Hello {name}', 'Hallo'],
      ['en es', '%s of %s', '%s de'],
      ['en de', 'Open <a href="x">it</a>', 'Öffnen'],
    ],
    good: [
      ['en de', 'Pay ~1now~2', '~1Jetzt~2 zahlen'],
      ['en fr', 'Hello ~3', 'Bonjour ~3', asPrintf],
      ['en de', 'Tom &amp; Jerry', 'Tom und Jerry'],
      [
        'en ru',
        '{n, plural, one {# file} other {# files}}',
        '{n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}',
      ],
      ['en de', '100% safe', '100 % sicher'],
      ['en ar', 'Hello ~1~2x', 'مرحبا ~1~2x'],
    ],
  },
  'tags.extra': {
    bad: [
      ['en de', 'Pay ~1now~2', '~1Jetzt~2 ~1zahlen~2'],
      ['en de', 'Hello', 'Hallo %s'],
      ['en fr', 'Save', 'Enregistrer {name}'],
      ['en ja', 'Save ~3', '保存~3~3'],
      ['en es', 'Bold', '<b>Negrita</b>'],
    ],
    good: [
      ['en de', 'Pay ~1now~2', '~1Jetzt~2 zahlen'],
      ['en de', '50% discount', '50% Rabatt'],
      ['en fr', 'a < b', 'a < b'],
      [
        'en pl',
        '{n, plural, one {x} other {y}}',
        '{n, plural, one {a} few {b} many {c} other {d}}',
      ],
      ['en de', 'See ~3', 'Siehe ~3'],
    ],
  },
  'tags.order': {
    bad: [
      ['en de', '~1 has ~2', '~2 hat ~1', asPrintf],
      ['en fr', '%s in %d days', '%d jours, %s'],
      ['en ja', 'From %s to %d', '%dから%s'],
      ['en de', '{} of {} %d', '%d {} von {}'],
      ['en es', '%@ likes %d', 'A %d le gusta %@'],
    ],
    good: [
      ['en de', '~3 has ~4', '~4 hat ~3', asPrintf],
      ['en de', '%1$s in %2$d days', 'In %2$d Tagen %1$s'],
      ['en fr', '{a} and {b}', '{b} et {a}'],
      ['en ja', '%s of %s', '%s / %s'],
      ['en de', '~1 has ~3 and ~2', '~3 und ~1 hat ~2', asPrintf],
    ],
  },
  'tags.nesting': {
    bad: [
      ['en de', 'Pay ~1now~2 today', 'Heute ~2jetzt~1 zahlen'],
      ['en de', 'A ~1b ~4c~5 d~2 e', 'A ~1b ~4c~2 d~5 e'],
      ['en fr', 'Pay ~1now~2 and save', 'Payez maintenant et économisez~1~2'],
      [
        'en de',
        'Click ~1here~2 first. Then save the file.',
        'Klicken Sie zuerst. Dann ~1hier~2 speichern.',
      ],
      ['en de', 'Save ~3 now and go.', 'Jetzt speichern und gehen.~3'],
    ],
    good: [
      ['en de', 'Pay ~1now~2 today', 'Heute ~1jetzt~2 zahlen'],
      ['en de', 'A ~1b ~4c~5 d~2 e', 'A ~4~1b~2~5 c'],
      ['en fr', 'See ~1~2 here', 'Voir ~1~2 ici'],
      [
        'en de',
        'Click ~1here~2 first. Then save it.',
        'Klicken Sie zuerst ~1hier~2. Dann speichern.',
      ],
      ['en ja', 'Save. ~3', '保存。~3'],
      ['en de', 'Dr. Smith likes ~1tea~2.', 'Dr. Smith mag ~1Tee~2.'],
    ],
  },
  empty: {
    bad: [
      ['en de', 'Hello', ''],
      ['en de', 'Hello', '  '],
      ['en fr', 'Pay ~1now~2', '~1~2'],
      ['en ja', '5', '\n'],
      ['en ar', 'Hello ~3', '~3'],
    ],
    good: [
      ['en de', '', ''],
      ['en de', ' ', ''],
      ['en fr', '~3', '~3'],
      ['en de', 'Hello', 'x'],
      ['en ja', '-', '-'],
    ],
  },
  length: {
    bad: [
      ['en de', 'Save', 'Speichern', atMost(5)],
      ['en ja', 'Save', '保存する', atMost(3)],
      ['en de', 'Save', 'Änderung', atMost(8, 'BYTES')],
      ['en de', 'x', '😀😀😀', atMost(2)],
      ['en de', 'x', '😀', atMost(3, 'BYTES')],
    ],
    good: [
      ['en de', 'Save', 'Speichern', atMost(9)],
      ['en ja', 'Save', '保存', atMost(2)],
      ['en de', 'x', '😀😀😀', atMost(3)],
      ['en de', 'x', 'Änderung', atMost(9, 'BYTES')],
      ['en de', '~1x~2', '~1abc~2', atMost(3)],
    ],
  },
  leftover: {
    bad: [
      ['en de', 'Pay ~1now~2 and save ~3', 'Pay now and save today. DE~1now~2 and save ~3'],
      [
        'en de',
        'Pay ~1now~2 and save ~3',
        'Zahlen Sie jetzt und sparen Sie heute.~1now~2 and save ~3',
      ],
      ['en fr', '~1Note~2 for readers', 'Note aux lecteurs~1Note~2 for readers'],
      ['en de', 'Pay ~1now and save~2', 'Pay ~1now and save~2Jetzt zahlen und sparen'],
      ['en de', 'Please pay now', 'Bitte jetzt bezahlen Please pay now'],
      [
        'en ru',
        'Please ~1restart the server~2.',
        'Пожалуйста, перезапустите сервер.~1restart the server~2.',
      ],
    ],
    good: [
      ['en de', 'Open ~1Adobe Acrobat~2.', 'Öffnen Sie ~1Adobe Acrobat~2.'],
      ['en de', 'Pay ~1now~2 and save ~3', '~1Jetzt~2 zahlen und sparen ~3'],
      [
        'en fr',
        'Run ~1npm install~2.',
        'Exécutez ~1npm install~2.',
        {
          tags: [
            { tag: 1, kind: 'OPEN', pair: 2, shows: '<code>' },
            { tag: 2, kind: 'CLOSE', pair: 1, shows: '</code>' },
          ],
        },
      ],
      ['en-US en-GB', 'The color ~1is bright~2', 'The lovely colour ~1is bright~2'],
      ['en de', 'Open ~1Word~2', 'Öffnen Sie ~1Word~2'],
      ['en de', 'See ~3', 'Siehe ~3'],
    ],
  },
  numbers: {
    bad: [
      ['en de', 'It costs 1,000.50 euros', 'Es kostet 100,50 Euro'],
      ['en de', 'At most 1,000 files', 'Höchstens 1,000 Dateien'],
      ['en fr', 'In 14 days', 'Dans 15 jours'],
      ['en ja', '5 files', 'ファイル'],
      ['en es', 'Hello', 'Hola 7'],
      ['en de', 'Version 2.5', 'Version 5.2'],
      ['en ru', 'In 2024', 'В 2023'],
      ['en de', 'Up to 1.5 MB', 'Bis zu 1.5 MB'],
      ['en de', 'It costs €5.00', 'Es kostet €5.00'],
      ['en de', 'It costs 1,000.50 $', 'Es kostet 1,000.50 $'],
      ['en de', '1,000,000 rows', '1,000,000 Zeilen'],
      ['de en', 'Bis zu 1,5 MB', 'Up to 1,5 MB'],
      ['zh en', '140亿年过去了', 'Fourteen million years later'],
      ['zh en', '十五天', '14 days'],
      ['en de', '5 million people', '5 Milliarden Menschen'],
    ],
    good: [
      ['en de', 'It costs 1,000.50 euros', 'Es kostet 1.000,50 Euro'],
      ['en fr', 'It costs 1,000.50 euros', 'Il coûte 1 000,50 euros'],
      ['en fr', 'It costs 1,000.50 euros', `Il coûte 1${nn}000,50 euros`],
      ['en de-CH', 'It costs 1,000.50', 'Es kostet 1’000.50'],
      ['en de-ch', 'It costs 1,000.50', "Es kostet 1'000.50"],
      ['en ar', '1,000.50 riyals', '١٬٠٠٠٫٥٠ ريال'],
      ['en fa', '1,234 users', '۱٬۲۳۴ کاربر'],
      ['en hi', '25 files', '२५ फ़ाइलें'],
      ['en hi', '1,000,000 rows', '10,00,000 पंक्तियाँ'],
      ['en de', '2 files', 'zwei Dateien'],
      ['en ru', '2 files', 'Два файла'],
      ['en it', 'Wait 3 days', 'Attendere tre giorni'],
      ['en pt', '1 file', 'um arquivo'],
      ['en nl', 'Two files', '2 bestanden'],
      ['en de', 'On 12/05/2024', 'Am 05.12.2024'],
      ['en de', 'On 5/12', 'Am 12.05.'],
      ['en de', 'At 3:30 pm', 'Um 15.30 Uhr'],
      ['en de', 'See https://x.example/1/2', 'Siehe https://x.example/1/2'],
      ['en de', '%1$s of %2$s', '%2$s, %1$s'],
      ['en ja', '10,000 people', '1万人'],
      ['en de', 'Version 1.2.3', 'Version 1.2.3'],
      ['en de', '0.125 seconds', '0,125 Sekunden'],
      ['en zh', 'Two files', '2 个文件'],
      ['en zh', '100,000 people', '十万人'],
      ['en zh', 'In 1920', '一九二〇年'],
      ['zh en', '140亿年过去了', 'Fourteen billion years later'],
      ['zh en', '一亿三千万人', '130 million people'],
      ['en zh', '12,000 sesterces', '1 万 2 千塞斯特斯'],
      ['en zh', 'On December 15, 1904', '1904 年 12 月 15 日'],
      ['en zh', 'In the 1960s', '20 世纪 60 年代'],
      ['en ja', '48.3 million people', '4830万人'],
      ['en ja', 'In 1999', '一九九九年に'],
      ['en ko', '120,000,000 won', '1억 2천만 원'],
      ['ko en', '스물다섯 살', '25 years old'],
      ['en hi', '2.5 million people', '25 लाख लोग'],
      ['hi en', 'पच्चीस लोग', '25 people'],
      ['en ar', '25 files', 'خمسة وعشرون ملفًا'],
      ['en bn', '25 files', 'পঁচিশ ফাইল'],
      ['en ur', '25 files', 'پچیس فائلیں'],
      ['en id', '15 files', 'lima belas berkas'],
      ['en es', 'About 100,000 people', 'Cerca de cien mil personas'],
      ['en es', 'In the 18th century', 'En el siglo XVIII'],
      ['en es', '$2.3 billion', '$2.300 millones'],
      ['en fr', '97 pages', 'quatre-vingt-dix-sept pages'],
      ['en pt', 'Twenty-five files', '25 ficheiros'],
      ['en ru', '40 churches', 'сорок церквей'],
      ['en de', '90 times', 'um das Neunzigfache'],
      ['en de', 'In the 1930s', 'In den dreißiger Jahren'],
      ['en de', 'Half a million', '500.000'],
      ['en de', 'Version 1.5', 'Version 1.5'],
    ],
  },
  punctuation: {
    bad: [
      ['en de', 'Save the file.', 'Datei speichern'],
      ['en de', 'Save the file', 'Die Datei bitte jetzt speichern.'],
      ['en fr', 'Really?', `Vraiment${nn}!`],
      ['en ja', 'Save it?', '保存します。'],
      ['en es', 'Name:', 'Nombre'],
      ['en de', 'Loading…', 'Wird geladen.'],
      ['en es', 'Really?', 'De verdad?'],
    ],
    good: [
      ['en ja', 'Save the file.', 'ファイルを保存します。'],
      ['en zh', 'Really?', '真的吗？'],
      ['en ar', 'Really?', 'حقًا؟'],
      ['en el', 'Really?', 'Αλήθεια;'],
      ['en es', 'Really?', '¿De verdad?'],
      ['en fr', 'Really?', `Vraiment${nn}?`],
      ['en th', 'Save the file.', 'บันทึกไฟล์'],
      ['en hi', 'Save the file.', 'फ़ाइल सहेजें।'],
      ['en hy', 'Really?', 'Իսկապե՞ս'],
      ['en de', 'Loading...', 'Wird geladen…'],
      ['en de', 'He said "no."', 'Er sagte „nein“.'],
      ['en de', '5 minutes', 'ca. 5 Min.'],
      ['en zh', 'Name: ', '名称：'],
    ],
  },
  spaces: {
    bad: [
      ['en de', 'Name: ', 'Name:'],
      ['en de', 'Save', ' Speichern'],
      ['en de', 'Save the file', 'Datei  speichern'],
      ['en de', 'Really?', 'Wirklich ?'],
      ['en fr', 'Really?', 'Vraiment?'],
      ['en fr-FR', 'Note: one', 'Note : un'],
      ['en fr', 'Say "yes"', 'Dites «oui»'],
      ['en fr-CA', 'Note: one', 'Note: un'],
    ],
    good: [
      ['en de', 'Name: ', 'Name: '],
      ['en fr', 'Really?', `Vraiment${nn}?`],
      ['en fr', 'Note: one', `Note${nb}: un`],
      ['en fr-CA', 'Really? Yes!', 'Vraiment? Oui!'],
      ['en fr', 'At 10:30', 'À 10:30'],
      ['en fr', 'See https://a.example/?b=1', 'Voir https://a.example/?b=1'],
      ['en fr', 'Say "yes"', `Dites «${nb}oui${nb}»`],
      ['en zh', 'Name: ', '名称：'],
      ['en de', 'Smile :)', 'Lächeln :)'],
      ['fr en', `Vraiment${nn}?`, 'Really?'],
    ],
  },
  newlines: {
    bad: [
      ['en de', 'a\nb', 'a b'],
      ['en de', 'Save\n', 'Speichern'],
      ['en fr', '\nSave', 'Enregistrer'],
      ['en ja', 'Save', '保\n存'],
      ['en de', 'a\n\nb', 'a\nb'],
    ],
    good: [
      ['en de', 'a\nb', 'c\nd'],
      ['en de', 'a\r\nb', 'c\nd'],
      ['en fr', 'Save\n', 'Enregistrer\n'],
      ['en ja', 'Save', '保存'],
      ['en de', 'a~3b', 'a~3b', { tags: [{ tag: 3, kind: 'PLACEHOLDER', shows: '\n' }] }],
    ],
  },
  brackets: {
    bad: [
      ['en de', 'Save (now)', 'Speichern (jetzt'],
      ['en de', 'Save (now)', 'Jetzt speichern'],
      ['en fr', 'Save', 'Enregistrer (tout)'],
      ['en ja', 'Save [x]', '保存 [x'],
      ['en ar', 'Save (now)', 'احفظ (الآن))'],
    ],
    good: [
      ['en de', 'Save (now)', '(Jetzt) speichern'],
      ['en ja', 'Save (now)', '保存（今）'],
      ['en zh', 'Save [x]', '保存［x］'],
      ['en de', 'a) one', 'a) eins'],
      ['en de', 'Hello {name}', 'Hallo {name}'],
    ],
  },
  doubled: {
    bad: [
      ['en de', 'Save the file', 'Datei Datei speichern'],
      ['en fr', 'In the file', 'dans dans le fichier'],
      ['en es', 'The file', 'El el archivo'],
      ['en ru', 'In the file', 'в в файле'],
      ['en it', 'It is', 'È è qui'],
    ],
    good: [
      ['en de', 'Those who', 'Menschen, die die Datei speichern'],
      ['en fr', 'We sit', 'Nous nous asseyons'],
      ['en vi', 'Slowly', 'Từ từ'],
      ['en tr', 'Slowly', 'Yavaş yavaş'],
      ['en de', 'ha ha', 'ha ha'],
      ['en de', 'file, file', 'Datei, Datei'],
    ],
  },
  same: {
    bad: [
      ['en de', 'Save the file', 'Save the file'],
      ['en fr', 'settings', 'settings'],
      ['en de', 'Pay ~1now~2', 'Pay ~1now~2'],
      ['ja en', '保存する', '保存する'],
      ['en ja', 'Terms Of The Service', 'Terms Of The Service'],
    ],
    good: [
      ['en de', 'OK', 'OK'],
      ['en de', '12:30', '12:30'],
      ['en de', 'https://example.com/a/b', 'https://example.com/a/b'],
      ['en fr', 'Dragoman', 'Dragoman'],
      ['en de', 'iPhone 15 Pro', 'iPhone 15 Pro'],
      ['en-US en-GB', 'Save the file', 'Save the file'],
      ['en de', 'ERR_404', 'ERR_404'],
      ['en ja', '{name}', '{name}'],
      ['en de', 'Adobe Acrobat Reader', 'Adobe Acrobat Reader'],
    ],
  },
  characters: {
    bad: [
      ['en de', 'Save', 'Spei\u200bchern'],
      ['en de', 'Save', 'Speichern\u0007'],
      ['en fr', 'Save', 'Enregistrer\u202e'],
      ['en de', 'Save', 'Speichern \ufffd'],
      ['en de', 'Save', 'Speichern \ud800'],
      ['en es', 'Save', '\ufeffGuardar'],
      ['en ja', 'Save', '保存\u200e'],
    ],
    good: [
      ['en fa', 'I go', 'می\u200cروم'],
      ['en he', 'Save', 'שמור\u200f'],
      ['en de', 'Save 👩\u200d💻', 'Speichern 👩\u200d💻'],
      ['en de', 'Tab\there', 'Tab\thier'],
      ['en hi', 'Save', 'क्\u200dष'],
      ['en de', 'a\u200bb', 'c\u200bd'],
      ['en de', 'Long', 'Donau\u00addampf'],
    ],
  },
  links: {
    bad: [
      ['en de', 'See https://a.example/en.', 'Siehe https://a.example/de.'],
      ['en de', 'Write to a@b.example', 'Schreiben Sie an a@c.example'],
      ['en fr', 'In /etc/hosts/x', 'Dans /etc/hote/x'],
      ['en ja', 'Visit www.example.com today', '今日'],
      ['en es', 'Hello', 'Hola http://evil.example'],
      ['en de', 'Open C:\\Temp\\a', 'C:\\Tmp\\a öffnen'],
    ],
    good: [
      ['en de', 'See https://a.example/en.', 'Siehe https://a.example/en!'],
      ['en zh', 'Visit https://a.example/x for more', '请访问https://a.example/x了解'],
      ['en de', 'Write to a@b.example.', 'An a@b.example schreiben.'],
      ['en de', 'and/or', 'und/oder'],
      ['en fr', '5 km/h', '5 km/h'],
      ['en de', 'See (https://a.example/b_(c))', 'Siehe https://a.example/b_(c)', {}],
    ],
  },
  plurals: {
    bad: [
      ['en ru', '{n, plural, one {a} other {b}}', '{n, plural, one {а} other {б}}'],
      ['en pl', '{n, plural, one {a} other {b}}', '{n, plural, one {a} few {b} other {c}}'],
      ['en ar', '{n, plural, one {a} other {b}}', '{n, plural, other {ب}}'],
      ['en de', '{n, plural, one {a} other {b}}', '{n, plural, other {b}}'],
      ['en cs', 'x {n, plural, one {a} other {b}}', 'x {n, plural, one {a} other {b}}'],
    ],
    good: [
      [
        'en ru',
        '{n, plural, one {a} other {b}}',
        '{n, plural, one {а} few {б} many {в} other {г}}',
      ],
      ['en ja', '{n, plural, one {a} other {b}}', '{n, plural, other {あ}}'],
      ['en de', '{n, plural, =1 {a} other {b}}', '{n, plural, =1 {a} other {b}}'],
      ['en fr', '{n, plural, one {a} other {b}}', '{n, plural, one {a} other {b}}'],
      ['en de', 'plural', 'Plural'],
      ['en tr', '{n, plural, one {# a} other {# b}}', '{n, plural, one {# a} other {# b}}'],
    ],
  },
  html: {
    bad: [
      ['en de', 'Hi', 'Hallo <script>alert(1)</script>'],
      ['en de', 'Hi', '<img src=x onerror=alert(1)>'],
      ['en fr', '<a href="/x">y</a>', '<a href="javascript:alert(1)">y</a>'],
      ['en fr', '<a href="/x">y</a>', '<a href="&#106;ava\tscript:alert(1)">y</a>'],
      ['en ja', 'Hi', '<IFRAME src="//x">'],
      ['en de', 'Hi', '<a href="data:text/html,x">'],
    ],
    good: [
      ['en de', '<script>x</script>', '<script>x</script>'],
      ['en de', 'JavaScript: on', 'JavaScript: an'],
      ['en de', '<b>x</b>', '<b>y</b>'],
      ['en fr', 'on = off', 'on = off'],
      ['en de', 'a < script', 'a < Skript'],
      ['en de', '<img onload="a()">', '<img onload="a()">'],
    ],
  },
}

const shownAs = ([languages, source, target]: CheckCase) =>
  `${languages}: ${JSON.stringify(source)} as ${JSON.stringify(target)}`

describe.each(Object.entries(cases))('the check %s', (name, { bad, good }) => {
  it.each(bad.map((row) => [shownAs(row), row] as const))('finds %s', (_, row) => {
    const found = check(row)
    expect(found.map(({ check: one }) => one)).toContain(name)
    for (const { message } of found) expect(message).toMatch(/^[A-Z].*\.$/s)
  })

  it.each(good.map((row) => [shownAs(row), row] as const))('accepts %s', (_, row) => {
    expect(check(row).filter(({ check: one }) => one === name)).toEqual([])
  })

  it('has at least five cases each way', () => {
    expect(Math.min(bad.length, good.length)).toBeGreaterThanOrEqual(5)
  })
})

describe('the other checks', () => {
  const pair = {
    source: ['Save'],
    tags: [],
    target: ['Speichern'],
    sourceLanguage: 'en',
    targetLanguage: 'de',
  }

  it('finds a fuzzy match that was confirmed unchanged, and no other', () => {
    const fuzzy = { percent: 85, target: ['Spei', 'chern'] }
    expect(checkText({ ...pair, fuzzy })).toMatchObject([
      {
        check: 'fuzzy',
        severity: 'WARNING',
        message: 'The translation is the match of 85 per cent, unchanged.',
      },
    ])
    expect(checkText({ ...pair, fuzzy: { percent: 100, target: ['Speichern'] } })).toEqual([])
    expect(checkText({ ...pair, fuzzy: { percent: 85, target: ['Sichern'] } })).toEqual([])
  })

  it('reports the sentences about terms', () => {
    const told = {
      message: 'The term "save" is "sichern".',
      fact: { says: 'missing', term: 'save', names: ['sichern'] },
    }
    expect(checkText({ ...pair, terms: [told] })).toMatchObject([
      { check: 'terms', facts: [told.fact] },
    ])
  })
})

describe('a finding', () => {
  it.each([
    [
      ['en de', 'It costs 1,000.50 euros', 'Es kostet viel'],
      'The number 1,000.50 of the source is missing.',
    ],
    [
      ['en de', 'At most 1,000 files', 'Höchstens 1,000 Dateien'],
      'The number 1,000 of the source is written as 1,000, which is another number in the target language.',
    ],
    [['en de', 'In 30 days', 'In 14 Tagen'], 'The source has the number 30, the translation 14.'],
    [['en de', 'Pay ~1now~2', 'Jetzt zahlen'], 'The tags <b> and </b> of the source are missing.'],
    [
      ['en de', '~1 has ~2', '~2 hat ~1', asPrintf],
      'The placeholders %s and %d are in another order: %d is where the source has %s.',
    ],
    [
      ['en de', 'Save', 'Speichern', atMost(5)],
      'The translation has 9 characters; at most 5 are allowed.',
    ],
    [
      ['en de', 'Pay ~1now~2 and save ~3', 'Jetzt zahlen und heute sparen.~1now~2 and save ~3'],
      'The source text "now and save" is left beside the translation.',
    ],
    [
      ['en de', 'Save', 'Spei\u200bchern'],
      'The translation has the character U+200B (zero-width space), which the source does not have.',
    ],
  ] satisfies readonly [CheckCase, string][])('names the thing: %j', (row, message) => {
    expect(check(row as CheckCase).map((one) => one.message)).toContain(message)
  })

  it('has the facts of its sentences, by the table of the contract', () => {
    const rows = Object.values(cases).flatMap(({ bad }) => bad)
    const found = rows.flatMap((row) => check(row))
    expect(found.length).toBeGreaterThan(100)
    for (const { check: name, facts } of found) {
      expect(facts.length).toBeGreaterThan(0)
      for (const { says, ...rest } of facts)
        expect([name, says, Object.keys(rest).sort()]).toEqual([
          name,
          says,
          [...(checkOf(name).says[String(says)] ?? ['no such sentence'])].sort(),
        ])
    }
  })

  it.each([
    [['en de', 'Save ~3 file', 'Datei  ~3 sichern'], 'spaces', 'Datei ~3 sichern'],
    [['en de', 'Name: ', 'Name:'], 'spaces', 'Name: '],
    [['en fr', 'Really?', 'Vraiment?'], 'spaces', `Vraiment${nn}?`],
    [['en fr', 'Note: "yes"', 'Note : « oui »'], 'spaces', `Note${nb}: «${nb}oui${nb}»`],
    [['en de', 'Save the file.', 'Datei speichern'], 'punctuation', 'Datei speichern.'],
    [['en ja', 'Save the file.', 'ファイルを保存'], 'punctuation', 'ファイルを保存。'],
    [['en ar', 'Really?', 'حقًا'], 'punctuation', 'حقًا؟'],
    [['en es', 'Really?', 'De verdad?'], 'punctuation', '¿De verdad?'],
    [['en de', '~1Save~2', 'Speichern'], 'tags.missing', '~1Speichern~2'],
    [['en de', 'Save ~3', 'Speichern '], 'tags.missing', 'Speichern ~3'],
    [['en de', 'Save\n', 'Speichern'], 'newlines', 'Speichern\n'],
    [['en de', 'Save the file', 'Die die Datei Datei sichern'], 'doubled', 'Die die Datei sichern'],
    [['en de', 'Save', 'Spei\u200bchern'], 'characters', 'Speichern'],
    [['en de', 'Save (now)', 'Speichern (jetzt'], 'brackets', 'Speichern (jetzt)'],
    [
      ['en de', 'Free returns within 30 days', 'Rückgabe in 14 Tagen'],
      'numbers',
      'Rückgabe in 30 Tagen',
    ],
    [
      ['en de', 'Save ~310 of 1,000.50 euros', '100,50 Euro: 10 ~3sparen'],
      'numbers',
      '1.000,50 Euro: 10 ~3sparen',
    ],
    [
      ['en de', 'At most 1,000 files', 'Höchstens 1,000 Dateien'],
      'numbers',
      'Höchstens 1.000 Dateien',
    ],
    [
      ['en fr', 'At most 12,000 files', 'Au plus 12 fichiers'],
      'numbers',
      `Au plus 12${nn}000 fichiers`,
    ],
    [['en es', 'It takes 2.50 seconds', 'Tarda 3,5 segundos'], 'numbers', 'Tarda 2,50 segundos'],
    [['de en', 'Kosten: 1.234,00', 'Cost: 1,243.00'], 'numbers', 'Cost: 1,234.00'],
    [['en ar', 'Within 30 days', 'خلال ١٤ يومًا'], 'numbers', 'خلال ٣٠ يومًا'],
    [['en fa', '1,000.50 rials', '۱۰۰۰٫۷۵ ریال'], 'numbers', '۱٬۰۰۰٫۵۰ ریال'],
    [['ar en', 'خلال ٣٠ يومًا', 'Within 14 days'], 'numbers', 'Within 30 days'],
    [['en hi', '1,000,000 rows', '10,000 पंक्तियाँ'], 'numbers', '10,00,000 पंक्तियाँ'],
    [['en ja', 'Item 007', '品目 008'], 'numbers', '品目 007'],
    [['en de', 'Up to 1.5 MB', 'Bis zu 1.5 MB'], 'numbers', 'Bis zu 1,5 MB'],
    [['en de', 'It costs €5.00', 'Es kostet €5.00'], 'numbers', 'Es kostet €5,00'],
    [['en de', '1,000.50 $ left', 'Noch 1,000.50 $'], 'numbers', 'Noch 1.000,50 $'],
  ] satisfies readonly [CheckCase, CheckName, string][])(
    'carries the mended text: %j',
    (row, name, text) => {
      expect(check(row as CheckCase).find((one) => one.check === name)?.fix).toEqual(parts(text))
    },
  )

  it.each([
    ['en de', 'In 14 days', 'Bald'],
    ['en de', 'Soon', 'In 14 Tagen'],
    ['en de', '20 of 30 days', '14 von 15 Tagen'],
    ['en de', 'From 14 to 30 days', 'Von 14 bis 14 Tagen'],
    ['en de', 'On 12/05/2024', 'Am 05.12.2023'],
    ['en de', 'At 3 pm', 'Um 16 Uhr'],
    ['en ja', '20,000 people', '1万人'],
  ] satisfies readonly CheckCase[])(
    'has no fix where more than one whole number may differ: %j',
    (...row) => {
      const found = check(row as CheckCase).find((one) => one.check === 'numbers')
      expect(found).toBeDefined()
      expect(found).not.toHaveProperty('fix')
    },
  )

  it('has no fix where the place of a tag is unknown', () => {
    expect(check(['en de', 'Pay ~1now~2 please', 'Bitte jetzt zahlen'])[0]).not.toHaveProperty(
      'fix',
    )
  })
})

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    'Save the file',
    '1,000.50',
    ' ',
    '\n',
    '%s',
    '{name}',
    '(',
    '...',
    'https://a.example/x',
    '«',
    '»',
    '?',
    'and and',
  ),
  fc.constantFrom(...bold.map(({ tag }) => ({ tag }))),
)
const text = fc.array(piece, { maxLength: 8 })

describe('any text', () => {
  it('has no finding if it equals its source, besides `same`', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('en-GB', 'nl', 'de'), (source, targetLanguage) => {
        // Numbers with marks read differently in another language.
        const same =
          targetLanguage === 'en-GB'
            ? source
            : source.map((one) => (typeof one === 'string' ? one.replaceAll(/\d/g, '') : one))
        const found = checkText({
          source: same,
          target: same,
          tags: bold,
          sourceLanguage: 'en-US',
          targetLanguage,
        })
        expect(found.filter(({ check: one }) => one !== 'same')).toEqual([])
      }),
    )
  })

  it('loses a finding by its fix, and gains none', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.constantFrom('de', 'fr', 'es', 'ja', 'ar'),
        (source, target, targetLanguage) => {
          const pair = { source, tags: bold, sourceLanguage: 'en', targetLanguage }
          const found = checkText({ ...pair, target })
          for (const { check: name, fix } of found) {
            if (!fix) continue
            const after = checkText({ ...pair, target: fix }).map((one) => one.check)
            expect(after).not.toContain(name)
            expect(found.map((one) => one.check)).toEqual(expect.arrayContaining(after))
          }
        },
      ),
    )
  })

  it.each([
    'a ',
    'a',
    '1,',
    '1',
    ' ',
    '(',
    '<b',
    '{n, plural, one {',
    '.',
    '~',
    'a@',
    '//',
    'www.',
    '\n',
    '&#',
    '«',
    '?',
    '00',
    '1 ',
    '\ud800',
    'a a ',
    '<a on',
  ])('of many characters is checked in one pass: %j', (unit) => {
    const long = unit.repeat(50_000 / unit.length)
    const pair = { source: [`${long}x`], tags: [], target: [`y ${long}`] }
    expect(Array.isArray(checkText({ ...pair, sourceLanguage: 'en', targetLanguage: 'fr' }))).toBe(
      true,
    )
  })
})
