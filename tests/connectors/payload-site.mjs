/**
 * A Payload site on SQLite, without Next: `handleEndpoints` behind a bare HTTP server. Run with the
 * folder of an installation that has Payload and the plugin; prints its address when it answers.
 */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'

// On Node 20 the dynamic import of Payload's editor ends the process unless these come first.
await import('lexical')
await import('@lexical/headless')
const { buildConfig, getPayload, handleEndpoints } = await import('payload')
const { sqliteAdapter } = await import('@payloadcms/db-sqlite')
const { BlocksFeature, lexicalEditor } = await import('@payloadcms/richtext-lexical')
const { dragoman } = await import('@dragoman/payload')

const text = (name, more = {}) => ({ name, type: 'text', localized: true, ...more })
const note = {
  slug: 'note',
  fields: [
    { name: 'body', type: 'textarea' },
    { name: 'kind', type: 'select', options: ['warning', 'hint'] },
  ],
}
const quote = { slug: 'quote', fields: [text('said'), { name: 'stars', type: 'number' }] }
const editor = lexicalEditor({
  features: ({ defaultFeatures }) => [...defaultFeatures, BlocksFeature({ blocks: [note] })],
})
const config = buildConfig({
  secret: 'rig-secret',
  telemetry: false,
  editor,
  db: sqliteAdapter({ client: { url: `file:${process.env.SITE_DB}` }, push: true }),
  localization: { locales: ['en', 'de', 'fr'], defaultLocale: 'en', fallback: true },
  plugins: [
    dragoman({
      collections: ['pages', 'media'],
      globals: ['footer'],
      access: {
        configure: ({ req }) => req.user?.role === 'admin',
        send: ({ req }) => req.user?.role !== 'reader',
      },
    }),
  ],
  collections: [
    { slug: 'users', auth: true, fields: [{ name: 'role', type: 'text' }] },
    {
      slug: 'media',
      fields: [text('alt'), { name: 'url', type: 'text' }],
      access: { update: ({ req }) => req.user?.role === 'admin' },
    },
    {
      slug: 'pages',
      admin: { useAsTitle: 'title' },
      versions: { drafts: true },
      access: { read: () => true },
      fields: [
        text('title', { required: true, maxLength: 200, admin: { description: 'The headline' } }),
        text('slug'),
        { name: 'order', type: 'number' },
        { name: 'related', type: 'relationship', relationTo: 'pages', hasMany: true },
        { type: 'row', fields: [text('teaser')] },
        { name: 'body', type: 'richText', localized: true },
        { name: 'layout', type: 'blocks', blocks: [quote] },
        { name: 'links', type: 'array', fields: [text('label'), { name: 'href', type: 'text' }] },
        {
          name: 'steps',
          type: 'array',
          localized: true,
          fields: [
            { name: 'what', type: 'text' },
            { name: 'order', type: 'number' },
          ],
        },
        {
          type: 'tabs',
          tabs: [
            { name: 'seo', fields: [text('description'), { name: 'index', type: 'checkbox' }] },
            { label: 'More', fields: [text('more')] },
          ],
        },
      ],
    },
  ],
  globals: [{ slug: 'footer', fields: [text('line'), { name: 'year', type: 'number' }] }],
})
await getPayload({ config })
const server = createServer(async (incoming, outgoing) => {
  const body = ['GET', 'HEAD'].includes(incoming.method) ? undefined : Readable.toWeb(incoming)
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method,
    headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one]),
    ),
    ...(body && { body, duplex: 'half' }),
  })
  const answer = await handleEndpoints({ config, request })
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
  outgoing.end(Buffer.from(await answer.arrayBuffer()))
})
server.listen(Number(process.env.SITE_PORT ?? 0), '127.0.0.1', () => {
  console.log(`READY http://127.0.0.1:${server.address().port}`)
})
