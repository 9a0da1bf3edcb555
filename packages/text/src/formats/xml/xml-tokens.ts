/** What a scanned XML text is: tokens that cover it without gaps. */

export type XmlToken = {
  readonly kind: 'text' | 'open' | 'close' | 'empty' | 'comment' | 'cdata' | 'pi' | 'doctype'
  readonly start: number
  readonly end: number
}

/**
 * The tokens, and for each opening tag the index of its closing tag (for all others their own
 * index).
 */
export type Xml = {
  readonly text: string
  readonly tokens: readonly XmlToken[]
  readonly closing: Int32Array
}
