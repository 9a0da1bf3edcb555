/**
 * Files that configure a program look like files of texts: `application.properties` beside
 * `messages.properties`. They are never content, and often hold secrets.
 */
import { open } from 'node:fs/promises'
import { basename } from 'node:path'

/**
 * What frameworks, build tools and servers call their own files, by their ending: the name up to
 * the first dot, or to the first hyphen, as in `application-dev.yml` and `tsconfig.base.json`.
 */
const java = 'application bootstrap log4j log4j2 logback logging hibernate quartz jdbc datasource'
const accounts = 'secret secrets credential credentials config configuration'
const names: Readonly<Record<string, ReadonlySet<string>>> = {
  properties: new Set(
    `${java} ${accounts} database gradle local build keystore key sonar maven project microprofile`.split(
      ' ',
    ),
  ),
  yaml: new Set(
    `${java} ${accounts} pubspec analysis_options l10n mkdocs _config netlify serverless amplify cloudbuild codecov appveyor pnpm docker compose chart values kustomization skaffold database storage cable puma mongoid sidekiq dragoman hub crowdin lokalise phraseapp transifex`.split(
      ' ',
    ),
  ),
  json: new Set(
    `${accounts} package composer bower angular nx lerna turbo vercel firebase jsconfig tsconfig deno renovate appsettings launchsettings global nest cypress nodemon components biome service client google`.split(
      ' ',
    ),
  ),
  xml: new Set(
    `${java} ${accounts} pom build ivy settings web persistence beans context androidmanifest plugin faces`.split(
      ' ',
    ),
  ),
  php: new Set(`${accounts} database`.split(' ')),
}
/** Short names that are also words: only these whole names, not `client-area.json`. */
const whole: Readonly<Record<string, RegExp>> = {
  docker: /^docker-compose/,
  pnpm: /^pnpm-(?:workspace|lock)/,
  nest: /^nest-cli\./,
  service: /^service[-_]account/,
  client: /^client[-_]secrets?/,
  google: /^google-services\./,
  sonar: /^sonar-project\./,
  maven: /^maven-wrapper\./,
  microprofile: /^microprofile-config\./,
  faces: /^faces-config\./,
}

const endings: Readonly<Record<string, string>> = { yml: 'yaml' }
const endingOf = (path: string): string => {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return endings[ending] ?? ending
}

function isNamedSo(path: string): boolean {
  const name = basename(path).toLowerCase()
  const [stem = ''] = name.split(/[-.]/, 1)
  return (names[endingOf(path)]?.has(stem) ?? false) && (whole[stem]?.test(name) ?? true)
}

/** Keys, or their beginnings, that only configuration has. */
const propertyKeys =
  'spring. management. quarkus. micronaut. hibernate. javax.persistence. jakarta.persistence. log4j. log4j2. jdbc. datasource. systemprop. distributionurl sdk.dir org.gradle. server.port server.address server.ssl. server.servlet. logging.level eureka.'.split(
    ' ',
  )
const jsonKeys =
  'dependencies devDependencies compilerOptions lockfileVersion private_key client_secret'.split(
    ' ',
  )

/** Whether something in the first bytes stands in no file of texts. */
const marks: Readonly<Record<string, (lines: readonly string[]) => boolean>> = {
  properties: (lines) =>
    lines.some((line) => {
      const key =
        line
          .trim()
          .split(/[=:\s]/, 1)[0]
          ?.toLowerCase() ?? ''
      return propertyKeys.some((begin) => key.startsWith(begin))
    }),
  yaml: (lines) => {
    const has = (begin: string) => lines.some((line) => line.startsWith(begin))
    return (
      (has('apiVersion:') && has('kind:')) ||
      ['spring:', 'datasource:', 'openapi:', 'swagger:'].some(has) ||
      (has('services:') && lines.some((line) => line.trim().startsWith('image:'))) ||
      (has('jobs:') && lines.some((line) => /^(?:- )?(?:steps|runs-on):/.test(line.trim())))
    )
  },
  json: (lines) =>
    lines.some((line) => jsonKeys.some((key) => line.trim().startsWith(`"${key}":`))),
}

/** Pure: by name and by the first bytes. */
export const isConfiguration = (path: string, head = ''): boolean =>
  isNamedSo(path) || (marks[endingOf(path)]?.(head.split(/\r\n|\r|\n/)) ?? false)

/** Whether a file may be configuration for what stands in it. */
export const hasMarks = (path: string): boolean => Object.hasOwn(marks, endingOf(path))

/** Enough of a file to know what it is. */
export const headBytes = 16_384

/** The first bytes of a file as text; nothing of one that cannot be read. */
export async function readHead(place: string): Promise<string> {
  const file = await open(place, 'r').catch(() => undefined)
  if (file === undefined) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return ''
  } finally {
    await file.close()
  }
}
