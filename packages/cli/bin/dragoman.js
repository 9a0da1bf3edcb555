#!/usr/bin/env node
// Looks at the Node version before anything else is loaded, so that an old Node gets a sentence and
// not a stack.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Dragoman needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
await import('../dist/main.js')
