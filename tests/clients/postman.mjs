/**
 * The importer of Postman reads the document that the hub serves, and newman sends the first job of
 * the collection as it comes, with nothing but a token.
 */
import newman from 'newman'
import converter from 'openapi-to-postmanv2'
import { tokenOf } from './round.mjs'

const [, , url] = process.argv
const data = await (await fetch(`${url}/openapi.json`)).text()
const options = { folderStrategy: 'Tags', parametersResolution: 'Example' }
const { result, reason, output } = await new Promise((resolve, reject) =>
  converter.convertV2({ type: 'string', data }, options, (error, made) =>
    error ? reject(error) : resolve(made),
  ),
)
if (!result) throw new Error(reason)
const [{ data: collection }] = output
const named = (items, name) =>
  items.flatMap((one) => (one.request ? (one.name === name ? [one] : []) : named(one.item, name)))
const [create] = named(collection.item, 'Create a job')
create.request.auth = collection.auth
const envVar = [{ key: 'bearerToken', value: await tokenOf(url) }]
newman.run({ collection: { ...collection, item: [create] }, envVar }, (error, summary) => {
  if (error) throw error
  for (const { response } of summary.run.executions) console.log(response.code)
})
