import { expect, test } from 'vitest'
import { detectIn, leftOut } from './detect-content.ts'

const cases: [
  string,
  string[],
  { files: string; output: string; source?: string; targets: string[] }[],
][] = [
  [
    'Android resources, without folders that are no language',
    [
      'app/src/main/res/values/strings.xml',
      'app/src/main/res/values-pt-rBR/strings.xml',
      'app/src/main/res/values-night/strings.xml',
    ],
    [
      {
        files: 'app/src/main/res/values/strings.xml',
        output: 'app/src/main/res/values-{android}/strings.xml',
        targets: ['pt-BR'],
      },
    ],
  ],
  [
    'folders of an iOS app',
    [
      'App/en.lproj/Localizable.strings',
      'App/en.lproj/Plurals.stringsdict',
      'App/zh-Hant.lproj/Localizable.strings',
    ],
    [
      {
        files: 'App/en.lproj/*.{strings,stringsdict}',
        output: 'App/{lang}.lproj/{rest}',
        source: 'en',
        targets: ['zh-Hant'],
      },
    ],
  ],
  [
    'a gettext template',
    ['po/app.pot', 'po/de.po'],
    [{ files: 'po/app.pot', output: 'po/{lang}.po', targets: ['de'] }],
  ],
  [
    'a gettext tree',
    ['locale/app.pot', 'locale/pt_BR/LC_MESSAGES/app.po'],
    [{ files: 'locale/app.pot', output: 'locale/{lang}/LC_MESSAGES/app.po', targets: ['pt_BR'] }],
  ],
  [
    'a file per language',
    ['config/locales/en.yml', 'config/locales/fr.yml', 'src/index.ts'],
    [
      {
        files: 'config/locales/en.yml',
        output: 'config/locales/{lang}.yml',
        source: 'en',
        targets: ['fr'],
      },
    ],
  ],
  [
    'a Flutter app',
    ['lib/l10n/app_en.arb'],
    [
      {
        files: 'lib/l10n/app_en.arb',
        output: 'lib/l10n/app_{lang}.arb',
        source: 'en',
        targets: [],
      },
    ],
  ],
  [
    'Java properties beside their base',
    ['src/messages.properties', 'src/messages_de.properties'],
    [
      {
        files: 'src/messages.properties',
        output: 'src/messages_{lang}.properties',
        targets: ['de'],
      },
    ],
  ],
  [
    'pages in folders per language, deep',
    ['content/en/index.md', 'content/en/blog/a.md'],
    [{ files: 'content/en/**/*.md', output: 'content/{lang}/{rest}', source: 'en', targets: [] }],
  ],
  [
    'pages without a language',
    ['docs/a.md', 'README.md'],
    [{ files: 'docs/**/*.md', output: 'docs/{lang}/{rest}', targets: [] }],
  ],
  ['nothing in a program', ['bin/run.sh', 'src/in/a.json', 'package.json', 'tsconfig.json'], []],
]

test.each(cases)('finds %s', (_, paths, wanted) => {
  const found = detectIn(paths).map(({ files, output, source, targets }) => ({
    files,
    output,
    ...(source !== undefined && { source }),
    targets,
  }))
  expect(found).toEqual(wanted)
})

test('takes the source language that is named', () => {
  const [found] = detectIn(['i18n/de/a.json', 'i18n/en/a.json'], 'de')
  expect(found).toMatchObject({ files: 'i18n/de/*.json', source: 'de', targets: ['en'] })
})

test('what is left out is named with the reason', () => {
  const paths = [
    'locales/en/a.json',
    'locales/en/logo.png',
    'locales/de/a.json',
    'README.md',
    'src/index.ts',
    'x.png',
  ]
  expect(leftOut(paths, detectIn(paths))).toEqual([
    {
      why: 'nothing tells where their translations go; name them with --files',
      paths: ['README.md'],
    },
    { why: 'the hub cannot translate their format', paths: ['locales/en/logo.png'] },
  ])
})
