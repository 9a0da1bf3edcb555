/**
 * The only Trusted Types policy. Mantine writes its style sheet through innerHTML; CSS contains no
 * `<`, so any other markup is refused. No script is created from text; a worker may be loaded only
 * from our own files.
 */
type Policy = { createHTML(text: string): string; createScriptURL(url: string): string }
type Factory = { createPolicy(name: string, policy: Policy): unknown }

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
factory?.createPolicy('default', {
  createHTML(text) {
    if (text.includes('<')) throw new TypeError('The console takes no markup.')
    return text
  },
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('The console loads its own files only.')
    return url
  },
})
