/** What the server wrote into the page: the path it is served under, and the nonce of this page's styles. */
const { dataset } = document.querySelector<HTMLMetaElement>('meta[name=dragoman]') as HTMLMetaElement

export const prefix = dataset.prefix ?? ''
export const nonce = dataset.nonce ?? ''

/** Where the library that stops the page from scrolling behind a dialog looks for the nonce of its style. */
Object.assign(globalThis, { __webpack_nonce__: nonce })
