/**
 * What the server wrote into the page: the path under which it is served, and the nonce for its
 * styles.
 */
const { dataset } = document.querySelector<HTMLMetaElement>(
  'meta[name=dragoman]',
) as HTMLMetaElement

export const prefix = dataset.prefix ?? ''
export const nonce = dataset.nonce ?? ''

/**
 * The library that stops the page from scrolling behind a dialog looks here for the nonce of its
 * style.
 */
Object.assign(globalThis, { __webpack_nonce__: nonce })
