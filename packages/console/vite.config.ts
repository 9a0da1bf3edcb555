/**
 * Builds the console, and the script and styles of /docs, into the server's package. Paths in its
 * files are relative, so that the hub may be served under a prefix.
 */
import { defineConfig } from 'vite'

/**
 * Texts stay in files of their own, and /docs loads nothing of the console. Forms, comments, the
 * exchange of lists and the audit log are shared by pages that open later: the first load of the
 * jobs is without them.
 */
const apart =
  /[\\/]src[\\/](?:words[\\/][a-z]+|docs|parts[\\/](?:form|audit|comments|deliveries|language))[\\/]|form-table/
const isCode = (id: string): boolean => !apart.test(id)
const shared = { name: 'shared', test: isCode, minShareCount: 2 }
export default defineConfig({
  base: './',
  resolve: { conditions: ['source', 'module', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: '../server/dist/console',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    // Tells the server the names of the files that /docs loads.
    manifest: 'manifest.json',
    rolldownOptions: {
      input: { index: 'index.html', docs: 'src/docs/docs.ts' },
      // Libraries mark their modules for servers that render; here all run in the browser.
      // A first load is few files: what several pages share is one of them.
      output: { codeSplitting: { groups: [shared] } },
      onLog: (level, log, next) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && next(level, log),
    },
  },
})
