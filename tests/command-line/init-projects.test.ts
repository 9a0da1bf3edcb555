/**
 * `dragoman init` in projects as people have them: what is source, what is a translation, what
 * configures a program and is no content, and which language the project itself names.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { newProject, type Project } from '../project.ts'

const projects: Project[] = []
afterEach(() => {
  for (const project of projects.splice(0)) project.remove()
})

type Written = {
  source: string
  targets: string[]
  files: { source: string; output: string }[]
  leftOut: { why: string; paths: string[] }[]
}
const initIn = async (files: Record<string, string>, ...args: string[]): Promise<Written> => {
  const project = newProject('http://127.0.0.1:1', files)
  projects.push(project)
  const { code, out, err } = await project.run(['init', '--json', ...args])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
const each = (paths: readonly string[], text = '{"a":"One"}') =>
  Object.fromEntries(paths.map((path) => [path, text]))

describe('one file per language', () => {
  it('is read whole, whatever the spelling of its languages', async () => {
    const names = 'ar-SA bg-BG cs-CZ da-DK de-DE el-GR en es-ES fr-FR pt-BR zh-Hans-CN'.split(' ')
    const { source, files, targets } = await initIn(each(names.map((one) => `locales/${one}.json`)))
    expect({ source, files }).toEqual({
      source: 'en',
      files: [{ source: 'locales/en.json', output: 'locales/{lang}.json' }],
    })
    expect(targets).toEqual(names.filter((name) => name !== 'en').sort())
  })

  it.each([
    ['en.json', 'de-DE.json', 'fr-FR.json'],
    ['app_en.arb', 'app_pt_BR.arb', 'app_de.arb'],
  ])('%s beside %s and %s is one source', async (...names) => {
    const { source, files, targets } = await initIn(each(names.map((name) => `lib/l10n/${name}`)))
    expect(source).toBe('en')
    expect(files).toHaveLength(1)
    expect(targets).toHaveLength(2)
  })
})

describe('configuration', () => {
  const spring = 'spring.datasource.password=hunter2\nserver.port=8080\n'
  it.each([
    ['Spring', 'src/main/resources/application.properties', spring],
    ['a profile of Spring', 'src/main/resources/application-it.properties', spring],
    ['a file of another name', 'src/main/resources/messages_it.properties', spring],
    ['a container', 'locales/compose.yaml', 'services:\n  web:\n    image: nginx\n'],
    ['a workflow', 'locales/it.yml', 'on: push\njobs:\n  test:\n    steps: []\n'],
    ['a package', 'locales/package.json', '{\n  "dependencies": {}\n}'],
    ['an account', 'locales/service-account-it.json', '{\n  "private_key": "x"\n}'],
  ])('of %s is never content', async (_, path, text) => {
    const { files, leftOut } = await initIn(
      { ...each(['texts/en.json', 'texts/de.json']), [path]: text },
      '--target',
      'de',
    )
    expect(files).toEqual([{ source: 'texts/en.json', output: 'texts/{lang}.json' }])
    expect(leftOut).toContainEqual({
      why: 'they configure a program and are never content',
      paths: [path],
    })
  })

  it('is not what people read: labels of a form, pages about passwords', async () => {
    const { files } = await initIn({
      'src/messages.properties': 'login.password=Password\nserver.error=The server is down\n',
      'src/messages_de.properties': 'login.password=Passwort\n',
    })
    expect(files).toEqual([
      { source: 'src/messages.properties', output: 'src/messages_{lang}.properties' },
    ])
  })
})

describe('the language of the project', () => {
  const two = each(['locales/de.json', 'locales/en.json'])
  it.each([
    ['hugo.toml', 'baseURL = "/"\ndefaultContentLanguage = "de"\n'],
    ['config/_default/hugo.yaml', 'defaultContentLanguage: de\n'],
    [
      'config/application.rb',
      'module Shop\n  # config.i18n.default_locale = :fr\n  config.i18n.default_locale = :de\nend\n',
    ],
    ['src/i18n/routing.ts', "defineRouting({ locales: ['en', 'de'], defaultLocale: 'de' })\n"],
    ['src/i18n.js', "i18n.init({\n  fallbackLng: 'de',\n})\n"],
    ['src/i18n/index.ts', "init({ fallbackLng: ['de', 'en'] })\n"],
    ['nuxt.config.ts', "i18n: { defaultLocale: 'de' }\n"],
    ['config/app.php', "return [\n  'locale' => 'de',\n];\n"],
    ['shop/settings.py', "LANGUAGE_CODE = 'de'\n"],
  ])('is read from %s', async (path, text) => {
    expect(await initIn({ ...two, [path]: text })).toMatchObject({
      source: 'de',
      targets: ['en'],
      files: [{ source: 'locales/de.json' }],
    })
  })

  it('is read from the template of a Flutter app', async () => {
    const l10n = 'arb-dir: lib/l10n\ntemplate-arb-file: app_de.arb\n'
    const files = { ...each(['lib/l10n/app_de.arb', 'lib/l10n/app_en.arb']), 'l10n.yaml': l10n }
    expect(await initIn(files)).toMatchObject({ source: 'de', targets: ['en'] })
  })

  it('gives way to the one that is named', async () => {
    const files = { ...two, 'hugo.toml': 'defaultContentLanguage = "de"\n' }
    expect(await initIn(files, '--source', 'en')).toMatchObject({ source: 'en', targets: ['de'] })
  })
})

describe('places of their own', () => {
  it('Docusaurus reads each plugin from its own folder', async () => {
    const { source, files, targets } = await initIn({
      'docusaurus.config.js': "module.exports = { i18n: { defaultLocale: 'en' } }\n",
      'docs/intro.md': '# Hello\n',
      'blog/first.md': '# First\n',
      'i18n/de/docusaurus-plugin-content-docs/current/intro.md': '# Hallo\n',
    })
    expect({ source, targets }).toEqual({ source: 'en', targets: ['de'] })
    expect(files).toEqual([
      {
        source: 'docs/**/*.md',
        output: 'i18n/{lang}/docusaurus-plugin-content-docs/current/{rest}',
      },
      { source: 'blog/**/*.md', output: 'i18n/{lang}/docusaurus-plugin-content-blog/{rest}' },
    ])
  })

  it('an Android app keeps the folder that it has for a language', async () => {
    const text = '<resources><string name="a">One</string></resources>'
    const files = each(['res/values/strings.xml', 'res/values-es-rES/strings.xml'], text)
    const { targets } = await initIn(files, '--target', 'es,fr')
    expect(targets).toEqual(['es-ES', 'fr'])
  })
})
