/**
 * Bundles stage.ts, and answers for it below a hub's own address, with the page, headers and policy
 * of the console.
 */
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { build, type Rolldown } from 'vite'

type File = { readonly body: string; readonly contentType: string }
let bundled: Promise<ReadonlyMap<string, File>> | undefined

async function bundle(): Promise<ReadonlyMap<string, File>> {
  const built = (await build({
    configFile: false,
    mode: 'production',
    logLevel: 'error',
    base: './',
    root: join(import.meta.dirname, '../../..'),
    resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: { stage: join(import.meta.dirname, 'stage.ts') },
        output: { entryFileNames: '[name].js' },
        onLog: (level, log, next) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && next(level, log),
      },
    },
  })) as Rolldown.RolldownOutput
  const files = built.output.map((one): [string, File] => [
    one.fileName,
    one.type === 'chunk'
      ? { body: one.code, contentType: 'text/javascript' }
      : {
          body: String(one.source),
          contentType: one.fileName.endsWith('.css') ? 'text/css' : 'font/woff2',
        },
  ])
  return new Map(files)
}

/** The page is at /stage/ below the hub. */
export async function serveStage(context: BrowserContext, hubUrl: string): Promise<void> {
  bundled ??= bundle()
  const files = await bundled
  const styles = [...files.keys()].filter((name) => name.endsWith('.css'))
  await context.route(`${hubUrl}/stage/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.split('/stage/')[1] ?? ''
    const file = files.get(name)
    if (file) return route.fulfill(file)
    if (name !== '') return route.fulfill({ status: 404 })
    const answer = await route.fetch({ url: `${hubUrl}/signin` })
    const html = (await answer.text())
      .replaceAll(/<script[^>]*><\/script>|<link rel="(?:modulepreload|stylesheet)"[^>]*>/g, '')
      .replace(
        '</head>',
        `${styles.map((path) => `<link rel="stylesheet" href="/stage/${path}">`).join('')}</head>`,
      )
      .replace('</body>', '<script type="module" src="/stage/stage.js"></script></body>')
    return route.fulfill({ body: html, headers: answer.headers() })
  })
}
