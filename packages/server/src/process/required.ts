/**
 * Loads the CommonJS build of a package. An `import` of it takes a third more processor time and memory: the loader of modules
 * resolves each file anew for every file that imports it, and reads CommonJS files twice to find their names.
 */
import { createRequire } from 'node:module'

export const required: (name: string) => unknown = createRequire(import.meta.url)
