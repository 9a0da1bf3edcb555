/**
 * Media types by file extension: the types content systems send; anything else is
 * application/octet-stream.
 */
const byExtension: Record<string, string> = {
  csv: 'text/csv',
  css: 'text/css',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  po: 'text/x-gettext-translation',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  properties: 'text/x-java-properties',
  rtf: 'application/rtf',
  srt: 'application/x-subrip',
  svg: 'image/svg+xml',
  tmx: 'application/xml',
  tbx: 'application/xml',
  txt: 'text/plain',
  vtt: 'text/vtt',
  xlf: 'application/xliff+xml',
  xliff: 'application/xliff+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

export const unknownType = 'application/octet-stream'

/** The extension without the dot, or an empty string. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}

export function mediaTypeOf(name: string): string {
  const extension = extensionOf(name).toLowerCase()
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] as string) : unknownType
}

/** Whether a client's text is a valid media type for a header: one line, ASCII. */
const isMediaType = (text: string): boolean =>
  text.length <= 200 &&
  /^[\w.+-]+\/[\w.+-]+([ \t]*;[ \t]*[\w.-]+=("[\w .+-]*"|[\w.+-]+))*$/.test(text)

/** The declared media type if it is valid, else the one of the file name. */
export const declaredType = (declared: string | undefined, name: string): string =>
  declared !== undefined && isMediaType(declared) ? declared : mediaTypeOf(name)

/** The media type for a download, checked again whatever the row holds. */
export const servedType = (stored: string): string => (isMediaType(stored) ? stored : unknownType)
