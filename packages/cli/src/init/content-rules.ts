/**
 * How platforms lay out texts and translations, one rule per platform: what is the source, and
 * where translations belong.
 */
import { listFormats } from '@dragoman/contract/wire'
import { fromAndroid } from '../connector/output-pattern.ts'
import { isEnglish, isLanguageName } from './language-names.ts'

export type DetectedFiles = {
  /** For people: "Android resources". */
  readonly what: string
  /** A file or glob of dragoman.yml, and where its translations go. */
  readonly files: string
  readonly output: string
  /** As the project names it; absent if it cannot be determined. */
  readonly source?: string
  readonly targets: readonly string[]
  /** How many source files there are. */
  readonly count: number
  /** All files it accounts for, including translations. */
  readonly paths: readonly string[]
}
export type Rule = (paths: readonly string[], source?: string) => DetectedFiles[]

const known = new Set(listFormats().flatMap(({ extensions }) => extensions))
const extensionOf = (path: string): string => /\.(\w{1,12})$/.exec(path)?.[1]?.toLowerCase() ?? ''
export const isText = (path: string): boolean => known.has(extensionOf(path))
const slashed = (folder: string): string => (folder === '' ? '' : `${folder}/`)
const globOf = (extensions: readonly string[]): string => {
  const all = [...new Set(extensions)].sort()
  return all.length === 1 ? `*.${all[0]}` : `*.{${all.join(',')}}`
}
/**
 * The language that the user or the project named, otherwise English, in general before a variant,
 * otherwise the only one.
 */
function sourceAmong(names: readonly string[], source?: string): string | undefined {
  const plain = (name: string) => name.replaceAll('_', '-').toLowerCase()
  const named = (wanted: string) => names.find((name) => plain(name) === wanted)
  return (
    (source === undefined ? undefined : named(plain(source))) ??
    named('en') ??
    named('en-us') ??
    names.find(isEnglish) ??
    (names.length === 1 ? names[0] : undefined)
  )
}

const android: Rule = (paths) =>
  paths.flatMap((path) => {
    const [, folder] = /^(.{0,500}\bres\/)values\/strings\.xml$/.exec(path) ?? []
    if (folder === undefined) return []
    const others = paths.filter(
      (one) => one.startsWith(`${folder}values-`) && one.endsWith('/strings.xml'),
    )
    const codes = others.map((one) =>
      fromAndroid(one.slice(`${folder}values-`.length, -'/strings.xml'.length)),
    )
    const output = `${folder}values-{android}/strings.xml`
    const targets = codes.filter(isLanguageName)
    return [
      {
        what: 'Android resources',
        files: path,
        output,
        targets,
        count: 1,
        paths: [path, ...others],
      },
    ]
  })

const apple: Rule = (paths, named) => {
  const found = paths.flatMap((path) => {
    const [file = '', project = '', ...above] = path.split('/').reverse()
    if (!project.endsWith('.lproj') || !/\.(strings|stringsdict)$/.test(file)) return []
    return [
      {
        path,
        folder: slashed(above.reverse().join('/')),
        name: project.slice(0, -'.lproj'.length),
      },
    ]
  })
  return [...new Set(found.map(({ folder }) => folder))].flatMap((folder) => {
    const inside = found.filter((one) => one.folder === folder)
    const names = [...new Set(inside.map(({ name }) => name))]
    const source =
      sourceAmong(names.filter(isLanguageName), named) ?? names.find((name) => name === 'Base')
    if (source === undefined) return []
    const sources = inside.filter(({ name }) => name === source).map(({ path }) => path)
    return [
      {
        what: 'Apple strings',
        files: `${folder}${source}.lproj/${globOf(sources.map(extensionOf))}`,
        output: `${folder}{lang}.lproj/{rest}`,
        ...(source !== 'Base' && { source }),
        targets: names.filter((name) => name !== source && isLanguageName(name)),
        count: sources.length,
        paths: inside.map(({ path }) => path),
      },
    ]
  })
}

const gettext: Rule = (paths) =>
  paths
    .filter((path) => path.endsWith('.pot'))
    .map((path) => {
      const folder = path.slice(0, path.lastIndexOf('/') + 1)
      const name = path.slice(folder.length, -'.pot'.length)
      const below = paths.filter((one) => one.startsWith(folder) && one.endsWith('.po'))
      const flat = below.filter((one) => isLanguageName(one.slice(folder.length, -'.po'.length)))
      const deep = below.filter((one) => one.endsWith(`/LC_MESSAGES/${name}.po`))
      const isDeep = flat.length === 0 && deep.length > 0
      const codes = (isDeep ? deep : flat).map(
        (one) => one.slice(folder.length).split(/[/.]/, 1)[0] ?? '',
      )
      return {
        what: 'gettext template',
        files: path,
        output: isDeep ? `${folder}{lang}/LC_MESSAGES/${name}.po` : `${folder}{lang}.po`,
        targets: codes.filter(isLanguageName),
        count: 1,
        paths: [path, ...(isDeep ? deep : flat)],
      }
    })

const homes = new Set(
  'locales locale i18n l10n lang langs languages translations messages content docs doc'.split(' '),
)

/** `locales/en/common.json`: a folder per language. */
const languageFolders: Rule = (paths, named) => {
  const found = paths.filter(isText).flatMap((path) => {
    const parts = path.split('/')
    const at = parts.slice(0, -1).findIndex(isLanguageName)
    if (at < 0) return []
    return [
      {
        path,
        folder: parts.slice(0, at).join('/'),
        name: parts[at] ?? '',
        isFlat: parts.length === at + 2,
      },
    ]
  })
  return [...new Set(found.map(({ folder }) => folder))].flatMap((folder) => {
    const inside = found.filter((one) => one.folder === folder)
    const names = [...new Set(inside.map(({ name }) => name))]
    const source = sourceAmong(names, named)
    if (source === undefined || (names.length < 2 && !homes.has(folder.split('/').at(-1) ?? '')))
      return []
    const sources = inside.filter(({ name }) => name === source)
    const glob = globOf(sources.map(({ path }) => extensionOf(path)))
    return [
      {
        what: 'a folder per language',
        files: `${slashed(folder)}${source}/${sources.every(({ isFlat }) => isFlat) ? '' : '**/'}${glob}`,
        output: `${slashed(folder)}{lang}/{rest}`,
        source,
        targets: names.filter((name) => name !== source),
        count: sources.length,
        paths: inside.map(({ path }) => path),
      },
    ]
  })
}

/**
 * `app_pt_BR.arb`: the head `app_`, the language `pt_BR` and the ending. The longest language
 * counts: `ar-SA.json` is Arabic, not the Sanskrit of `ar`.
 */
function splitName(file: string): { head: string; name: string; ext: string } | undefined {
  const dot = file.lastIndexOf('.')
  const [stem, ext] = [file.slice(0, dot), file.slice(dot + 1)]
  if (dot < 1 || stem.length > 120) return undefined
  const heads = ['', ...[...stem.matchAll(/[._-]/g)].map(({ index }) => stem.slice(0, index + 1))]
  const head = heads.find((one) => isLanguageName(stem.slice(one.length)))
  return head === undefined ? undefined : { head, name: stem.slice(head.length), ext }
}

/**
 * `locales/en.json`, `app_en.arb`, `messages_de.properties` beside `messages.properties`: a file
 * per language.
 */
const languageFiles: Rule = (paths, named) => {
  const found = paths.filter(isText).flatMap((path) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const { head, name, ext } = splitName(path.slice(folder.length)) ?? {}
    return name === undefined ? [] : [{ path, name, group: `${folder}${head}`, ext, folder, head }]
  })
  return [...new Set(found.map(({ group, ext }) => `${group}\0${ext}`))].flatMap((key) => {
    const inside = found.filter(({ group, ext }) => `${group}\0${ext}` === key)
    const [first] = inside
    if (!first) return []
    const { group, ext, folder, head } = first
    const names = inside.map(({ name }) => name)
    const base = head === '' ? undefined : `${group.slice(0, -1)}.${ext}`
    const isBased = base !== undefined && paths.includes(base)
    const source = isBased ? undefined : sourceAmong(names, named)
    const isHome = homes.has(folder.split('/').at(-2) ?? '') || ext === 'arb'
    if (!isBased && (source === undefined || (names.length < 2 && !isHome))) return []
    return [
      {
        what: 'a file per language',
        files: isBased ? base : `${group}${source}.${ext}`,
        output: `${group}{lang}.${ext}`,
        ...(source !== undefined && { source }),
        targets: names.filter((name) => name !== source),
        count: 1,
        paths: [...inside.map(({ path }) => path), ...(isBased ? [base] : [])],
      },
    ]
  })
}

/**
 * Docusaurus reads the translations of its pages from a place of its own for each plugin. What
 * stands in `i18n/` already is a translation.
 */
const docusaurus: Rule = (paths) => {
  if (!paths.some((path) => /^docusaurus\.config\.(?:js|ts|mjs|cjs)$/.test(path))) return []
  const places = [
    ['docs', 'docusaurus-plugin-content-docs/current'],
    ['blog', 'docusaurus-plugin-content-blog'],
    ['src/pages', 'docusaurus-plugin-content-pages'],
  ] as const
  return places.flatMap(([folder, place]) => {
    const inside = paths.filter(
      (path) => path.startsWith(`${folder}/`) && /\.(?:md|markdown)$/.test(path),
    )
    if (inside.length === 0) return []
    const translated = paths.filter(
      (path) => path.startsWith('i18n/') && path.split('/')[2] === place.split('/')[0],
    )
    const names = [...new Set(translated.map((path) => path.split('/')[1] ?? ''))]
    return [
      {
        what: 'pages of Docusaurus',
        files: `${folder}/**/${globOf(inside.map(extensionOf))}`,
        output: `i18n/{lang}/${place}/{rest}`,
        targets: names.filter(isLanguageName),
        count: inside.length,
        paths: [...inside, ...translated],
      },
    ]
  })
}

/**
 * `docs/guide.md`: pages without a language in their path; translations go into a folder of their
 * own.
 */
const pages: Rule = (paths) =>
  ['content', 'src/content', 'docs', '_posts'].flatMap((folder) => {
    const inside = paths.filter(
      (path) => path.startsWith(`${folder}/`) && /\.(md|markdown|html)$/.test(path),
    )
    if (inside.length === 0) return []
    const files = `${folder}/**/${globOf(inside.map(extensionOf))}`
    const output = `${folder}/{lang}/{rest}`
    return [{ what: 'pages', files, output, targets: [], count: inside.length, paths: inside }]
  })

/** In this order: files claimed by one rule are hidden from the next. */
export const rules: readonly Rule[] = [
  android,
  apple,
  gettext,
  docusaurus,
  languageFolders,
  languageFiles,
  pages,
]
