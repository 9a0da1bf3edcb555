/**
 * A server with the chat completions of OpenAI, in the forms that servers differ in. The model
 * reads the JSON of the last message that has texts, and translates each of them.
 */
import { checkBody, type Received, type Reply, type Vendor, type VendorCall } from '../vendor.ts'

export const chatKey = 'sk-proj-chat-key-for-tests'
export const chatModel = 'tiny-1'

/**
 * What the server makes of `response_format`: `enforces` it, `ignores` it (Ollama Cloud), knows
 * only JSON objects (`objects`), or `refuses` it (older llama.cpp). How the model answers: its
 * thoughts in the text (`thinks`), apart (`reasons`), or none. `warm` models refuse a temperature,
 * as those of OpenAI that reason do.
 */
export type ChatServer = {
  readonly format: 'enforces' | 'ignores' | 'objects' | 'refuses'
  readonly thoughts?: 'thinks' | 'reasons'
  readonly warm?: boolean
  /** Tokens that a prompt may have, by a rough count. */
  readonly window?: number
}

const text = { type: 'string' }
const message = {
  type: 'object',
  required: ['role', 'content'],
  additionalProperties: false,
  properties: { role: { enum: ['system', 'user', 'assistant'] }, content: text },
}
const schemaFormat = {
  type: 'object',
  required: ['type', 'json_schema'],
  additionalProperties: false,
  properties: {
    type: { const: 'json_schema' },
    json_schema: {
      type: 'object',
      required: ['name', 'schema'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' },
        strict: { type: 'boolean' },
        schema: {
          type: 'object',
          required: ['type', 'properties', 'required', 'additionalProperties'],
        },
      },
    },
  },
}
const objectFormat = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: { type: { const: 'json_object' } },
}
const fault = checkBody(
  {
    model: text,
    messages: { type: 'array', minItems: 1, items: message },
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    response_format: { anyOf: [schemaFormat, objectFormat] },
    max_tokens: { type: 'integer', minimum: 1 },
    max_completion_tokens: { type: 'integer', minimum: 1 },
    reasoning_effort: { enum: ['none', 'minimal', 'low', 'medium', 'high'] },
    stream: { const: false },
  },
  ['model', 'messages'],
)

type Body = {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly temperature?: number
  readonly response_format?: { readonly type: string }
}
type Prompt = {
  readonly from?: string
  readonly to?: string
  readonly texts: readonly { id: string; text: string }[]
}

const error = (status: number, message: string, code: string | null = null): Reply => ({
  status,
  body: {
    error: {
      message,
      type: status === 429 ? (code ?? 'requests') : 'invalid_request_error',
      param: null,
      code,
    },
  },
})

const tokens = (length: number): number => Math.ceil(length / 4)

function refuse(body: Body, { format, warm }: ChatServer): Reply | undefined {
  if (body.model !== chatModel)
    return error(404, `The model '${body.model}' does not exist`, 'model_not_found')
  const asked = body.response_format?.type
  if (asked && format === 'refuses')
    return error(400, 'Either "json_schema" or "grammar" can be specified, but not both')
  if (asked === 'json_schema' && format === 'objects')
    return error(
      400,
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    )
  if (body.temperature !== undefined && body.temperature !== 1 && warm)
    return error(
      400,
      "Unsupported value: 'temperature' does not support 0 with this model.",
      'unsupported_value',
    )
  return undefined
}

const promptIn = ({ messages }: Body): Prompt | undefined =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ content }): unknown => {
      try {
        return JSON.parse(content)
      } catch {
        return undefined
      }
    })
    .findLast((one): one is Prompt => typeof one === 'object' && one !== null && 'texts' in one)

export function chat(server: ChatServer): Vendor {
  const ask = (call: Received): VendorCall | Reply => {
    const wrong = fault(call.json)
    if (wrong) return error(400, `Unrecognized request argument supplied: ${wrong}`)
    const body = call.json as Body
    const prompt = promptIn(body)
    const sent = tokens(body.messages.reduce((sum, { content }) => sum + content.length, 0))
    if (sent > (server.window ?? 16_000))
      return error(
        400,
        'The prompt is longer than the window of the model.',
        'context_length_exceeded',
      )
    const refused = refuse(body, server)
    if (refused) return refused
    const texts = prompt?.texts ?? []
    const given = tokens(texts.reduce((sum, one) => sum + one.text.length * 2, 0))
    return {
      texts: texts.map((one) => one.text),
      source: prompt?.from ?? 'en',
      target: prompt?.to ?? 'de',
      billed: sent + given,
      reply: (all) => {
        const answers = all.map((one, at) => ({ id: texts[at]?.id ?? String(at + 1), text: one }))
        return {
          body: completion(server, body, JSON.stringify({ translations: answers }), {
            sent,
            given,
          }),
        }
      },
    }
  }
  return {
    name: 'Chat',
    published:
      'platform.openai.com/docs/api-reference/chat, docs of Ollama, llama.cpp and vLLM as listed in the notes on engines, read 17 November 2026',
    read: (call) => {
      if (call.headers.authorization !== `Bearer ${chatKey}`)
        return error(401, 'Incorrect API key provided.', 'invalid_api_key')
      if (call.method !== 'POST' || call.path !== '/v1/chat/completions')
        return error(404, 'Not found')
      if (!/^application\/json\b/.test(call.headers['content-type'] ?? ''))
        return error(400, 'We could not parse the JSON body')
      return ask(call)
    },
    errors: {
      // As Groq says it: github.com/elizaOS/eliza/issues/4040.
      rate: error(
        429,
        'Rate limit reached for model `tiny-1` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing',
        'rate_limit_exceeded',
      ),
      quota: error(
        429,
        'You exceeded your current quota, please check your plan.',
        'insufficient_quota',
      ),
      server: error(500, 'The server had an error while processing your request.'),
      key: error(401, `Incorrect API key provided: ${chatKey}.`, 'invalid_api_key'),
    },
  }
}

function completion(
  server: ChatServer,
  body: Body,
  json: string,
  used: { sent: number; given: number },
): unknown {
  const isKept = body.response_format !== undefined && server.format !== 'ignores'
  const spoken = isKept ? json : `Here are the translations:\n\`\`\`json\n${json}\n\`\`\``
  const thoughts = 'The user wants {"translations": []}. Let me think.'
  const content =
    server.thoughts === 'thinks' ? `<think>\n${thoughts}\n</think>\n\n${spoken}` : spoken
  const reasons = server.thoughts === 'reasons' ? { reasoning_content: thoughts } : {}
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_800_000_000,
    model: chatModel,
    choices: [
      { index: 0, message: { role: 'assistant', content, ...reasons }, finish_reason: 'stop' },
    ],
    usage: {
      prompt_tokens: used.sent,
      completion_tokens: used.given,
      total_tokens: used.sent + used.given,
    },
  }
}
