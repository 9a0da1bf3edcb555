/**
 * Moves bytes for a campaign from a process of its own, so that the one who measures is not the one
 * who works. Reads moves as JSON from its argument: `{ url, headers?, from?, method? }`, sends the
 * file `from`, by PATCH if no method is named, or else reads the URL to its end; all at once. Ends
 * with 0 when every answer was the wanted one.
 */
import { createReadStream, statSync } from 'node:fs'
import { request } from 'node:http'
import { pipeline } from 'node:stream/promises'

const move = ({ url, headers = {}, from, method = from ? 'PATCH' : 'GET' }) =>
  new Promise((resolve, reject) => {
    const size = from && statSync(from).size
    const call = request(url, {
      method,
      headers: from ? { ...headers, 'content-length': size } : headers,
      agent: false,
    })
    call.on('error', reject)
    call.on('response', (answer) => {
      const wanted = method === 'PATCH' ? 204 : 200
      if (answer.statusCode !== wanted) reject(new Error(`${url}: ${answer.statusCode}`))
      answer.on('end', resolve).on('error', reject).resume()
    })
    if (from) pipeline(createReadStream(from, { highWaterMark: 256 * 1024 }), call).catch(reject)
    else call.end()
  })

await Promise.all(JSON.parse(process.argv[2]).map(move))
