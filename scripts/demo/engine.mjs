/**
 * `npm run demo -- --engine`: Apertium translates from Spanish to Catalan, which it does well, and
 * then one file of each format from English to Spanish, which it does roughly; the results are
 * shown. Needs the Debian packages of `wanted`.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { root } from '../prepare.mjs'
import { openConnector } from './connector.mjs'
import { bold } from './show.mjs'

const onLoopback = fileURLToPath(new URL('../apertium-loopback.py', import.meta.url))
const modes = '/usr/share/apertium'
const samples = join(root, 'tests/samples')
const wanted = 'apertium-apy apertium-spa-cat apertium-eng-spa cg3 apertium-lex-tools'
const pairs = ['spa-cat', 'eng-spa']

const spanish = [
  [
    'tienda.html',
    '<h1>El perro duerme en el jardín</h1>\n<p>Haga clic en <b>Guardar</b> para conservar los cambios.</p>\n',
  ],
  [
    'correo.json',
    '{\n  "sent": "Su pedido {number} fue enviado ayer.",\n  "thanks": "Gracias por su compra."\n}\n',
  ],
]

export async function showEngine(hub, closers) {
  const isThere = (pair) => existsSync(`${modes}/modes/${pair}.mode`)
  if (!existsSync('/usr/bin/apertium-apy') || !pairs.every(isThere))
    throw new Error(`install ${wanted} first`)
  const address = await hub.ready()
  const url = await startApertium(closers)
  const [admin, connector] = [openConnector(address), openConnector(address)]
  await admin.signIn('demo-admin', 'demo-admin-secret')
  await connector.signIn('demo-connector', 'demo-connector-secret')
  const config = { url, dialect: 'apertium' }
  const body = { name: 'Apertium', typeId: 'machine-translation', config }
  const { id: providerId } = await admin.call('POST', '/providers', body, 201)
  const translate = (files, ...pair) => showTranslated(connector, providerId, files, pair)
  console.log(bold('From Spanish to Catalan'))
  await translate(spanish, 'es-es', 'ca-es')
  console.log(`\n${bold('From English to Spanish, which is harder for rules')}`)
  const files = [
    ...readdirSync(samples).map((name) => [name, readFileSync(join(samples, name))]),
    ...archives(),
  ]
  const requests = await translate(files, 'en-us', 'es-es')
  const formats = new Set(requests.map(({ format }) => format)).size
  console.log(
    `\n${spanish.length} files are in Catalan, ${requests.length} files of ${formats} formats in Spanish.`,
  )
}

async function showTranslated(connector, providerId, files, [source, target]) {
  const { jobId } = await connector.call('POST', '/jobs', { jobName: `To ${target}` }, 201)
  const job = `/jobs/${jobId}`
  for (const [name, content] of files) {
    const request = { requestName: name, sourceNativeId: name, sourceNativeLanguageCode: source }
    const fmsFileId = await connector.uploadDirectly(job, name, Buffer.from(content))
    const body = { ...request, targetNativeLanguageCodes: [target], fmsFileId }
    await connector.call('POST', `${job}/requests/add`, body, 201)
  }
  await connector.call('PUT', `${job}/submit`, { providerId })
  const requests = await finished(connector, job, files.length)
  for (const one of requests) {
    console.log(`\n${bold(`${one.requestName} (${one.format})`)}`)
    if (one.hasError) console.log(`  ERROR ${one.latestErrorMessage}`)
    else
      console.log(shown(await connector.download(`${job}/requests/${one.requestId}/retrievefile`)))
    for (const warning of one.warnings ?? []) console.log(`  WARNING ${warning}`)
  }
  const failed = requests.filter(({ hasError }) => hasError)
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${requests.length} files were not translated`)
  return requests
}

/** The entries of these archives are stored, so that their text can be read as it is. */
const shown = (text) =>
  text
    .replace(/[^\t\n\r\x20-\uffff]+|\ufffd+/g, ' ')
    .replace(/^/gm, '  ')
    .trimEnd()

async function finished(connector, job, count) {
  for (let tries = 600; tries > 0; tries -= 1) {
    const { requests } = await connector.call('GET', `${job}/requests?pageSize=50`)
    const done = requests.filter(
      ({ hasError, statusCode }) =>
        hasError || /TRANSLATED|REVIEW|COMPLETE|DELIVER/.test(statusCode),
    )
    if (done.length === count) return requests
    await delay(100)
  }
  throw new Error('the engine did not finish in time')
}

async function startApertium(closers) {
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address()
      server.close(() => resolve(free))
    })
  })
  const child = spawn('/usr/bin/python3', [onLoopback, '-p', String(port), modes], {
    stdio: 'ignore',
  })
  closers.push(async () => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 300; tries > 0; tries -= 1) {
    if ((await fetch(`${url}/listPairs`).catch(() => undefined))?.ok) return url
    await delay(100)
  }
  throw new Error('apertium-apy does not start')
}

function archives() {
  const main = (kind) => `http://schemas.openxmlformats.org/${kind}/2006/main`
  const run = (text, look = '') => `<w:r>${look}<w:t xml:space="preserve">${text}</w:t></w:r>`
  const word = `<w:document xmlns:w="${main('wordprocessingml')}"><w:body><w:p>${run('The ')}${run('big', '<w:rPr><w:b/></w:rPr>')}${run(' house is red &amp; new.')}</w:p></w:body></w:document>`
  const cells = `<sst xmlns="${main('spreadsheetml')}"><si><t>The price of the chair</t></si><si><t>Dear {name}, thank you.</t></si></sst>`
  const slide = `<p:sld xmlns:p="${main('presentationml')}" xmlns:a="${main('drawingml')}"><a:p><a:r><a:t>Our plan for the year</a:t></a:r></a:p></p:sld>`
  return [
    ['offer.docx', pack({ 'word/document.xml': word })],
    ['prices.xlsx', pack({ 'xl/sharedStrings.xml': cells })],
    ['plan.pptx', pack({ 'ppt/slides/slide1.xml': slide })],
    [
      'all.zip',
      pack({
        'notes/one.txt': 'The garden is green.\n',
        'two.json': '{"a": "Good morning"}',
        'logo.png': 'PNG',
      }),
    ],
  ]
}

/** A ZIP archive of stored entries. */
function pack(entries) {
  const [local, central] = [[], []]
  let at = 0
  for (const [name, text] of Object.entries(entries)) {
    const [title, data] = [Buffer.from(name), Buffer.from(text)]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(title.length, 22)
    local.push(Buffer.from('PK\x03\x04'), facts, title, data)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    central.push(Buffer.from('PK\x01\x02\x14\x00'), facts, place, title)
    at += 30 + title.length + data.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(entries).length, 4)
  end.writeUInt16LE(Object.keys(entries).length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end])
}
