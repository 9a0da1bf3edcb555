// Parses s3://bucket/prefix?endpoint=…&region=…&forcePathStyle=…&publicEndpoint=…&links=… and
// explains in a sentence what is wrong with it.

export type S3Location = {
  readonly bucket: string
  /** Empty, or with a trailing slash. */
  readonly prefix: string
  readonly region: string
  readonly endpoint: string | undefined
  readonly forcePathStyle: boolean
  /** Where readers reach the store, if not at `endpoint`. */
  readonly publicEndpoint: string | undefined
  readonly links: boolean
}

const options = new Set(['endpoint', 'region', 'forcePathStyle', 'publicEndpoint', 'links'])

export function readS3Url(text: string): S3Location {
  if (!URL.canParse(text)) throw bad('it is not a URL')
  const url = new URL(text)
  if (url.username || url.password) {
    throw bad('it must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  if (!url.hostname) throw bad('the bucket is missing')
  if (url.port) throw bad('set a port in the option endpoint')
  for (const [name] of url.searchParams) {
    if (!options.has(name))
      throw bad(`the option ${name} is unknown; the options are ${[...options].join(', ')}`)
    if (url.searchParams.getAll(name).length > 1) throw bad(`the option ${name} appears twice`)
  }
  const endpoint = address(url, 'endpoint')
  const region =
    url.searchParams.get('region') || process.env.AWS_REGION || (endpoint ? 'us-east-1' : '')
  if (!region) throw bad('the option region is missing, and AWS_REGION is not set')
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|(?<!\/)\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    region,
    endpoint,
    forcePathStyle: flag(url, 'forcePathStyle', endpoint !== undefined),
    publicEndpoint: address(url, 'publicEndpoint'),
    links: flag(url, 'links', true),
  }
}

function address(url: URL, name: string): string | undefined {
  const text = url.searchParams.get(name)
  if (text === null) return undefined
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw bad(`the option ${name} must be an http or https URL`)
  return text
}

function flag(url: URL, name: string, otherwise: boolean): boolean {
  const text = url.searchParams.get(name)
  if (text === null) return otherwise
  if (text === 'true' || text === 'on') return true
  if (text === 'false' || text === 'off') return false
  throw bad(`the option ${name} must be true or false`)
}

const bad = (why: string) =>
  new Error(`The blob URL is not usable: ${why}. Expected s3://bucket/prefix?endpoint=…&region=…`)
