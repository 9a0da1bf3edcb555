/** Builds the console into the server's package. Paths in its files are relative, so that the hub may be served under a prefix. */
import { defineConfig } from 'vite'

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
    rolldownOptions: {
      // Libraries mark their modules for servers that render; here all run in the browser.
      onLog: (level, log, next) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && next(level, log),
    },
  },
})
