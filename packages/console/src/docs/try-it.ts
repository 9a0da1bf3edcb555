/** Sends the call of the page to this hub and shows the response. */
import { element, prefix } from './elements.ts'
import { readIds, rememberIds } from './seen-ids.ts'

export function addTryIt(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.tryit')
  const form = dialog?.querySelector('form')
  const result = dialog?.querySelector<HTMLElement>('.result')
  if (!dialog || !form || !result) return
  for (const button of document.querySelectorAll<HTMLElement>('[data-try]')) {
    button.hidden = false
    button.addEventListener('click', () => {
      fillIds(form)
      dialog.showModal()
    })
  }
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    result.replaceChildren(element('p', {}, 'Sending…'))
    try {
      result.replaceChildren(...(await send(form, dialog.dataset.demo)))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      result.replaceChildren(
        element('p', { class: 'note warn' }, `The call was not answered: ${why}`),
      )
    }
  })
}

const textIn = (form: HTMLFormElement, name: string): string => {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    ? field.value
    : ''
}

/** Ids from the responses of this visit replace those of the sample. */
function fillIds(form: HTMLFormElement): void {
  const ids = readIds()
  for (const field of form.querySelectorAll('input')) {
    const id = field.name.startsWith('path.') ? ids[field.name.slice('path.'.length)] : undefined
    if (id !== undefined && field.value === field.defaultValue) field.value = id
  }
}

function addressOf(form: HTMLFormElement): string {
  const path = (form.dataset.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textIn(form, `path.${name}`)),
  )
  const query = new URLSearchParams()
  for (const { name, value } of form.querySelectorAll('input'))
    if (name.startsWith('query.') && value !== '') query.append(name.slice('query.'.length), value)
  return `${prefix}${path}${query.size > 0 ? `?${query}` : ''}`
}

/** The Authorization header: a pasted token, or the demo client's. */
async function authorization(
  form: HTMLFormElement,
  demo: string | undefined,
): Promise<Record<string, string>> {
  const pasted = textIn(form, 'token')
    .trim()
    .replace(/^Bearer\s+/i, '')
  if (pasted !== '') return { authorization: `Bearer ${pasted}` }
  if (demo === undefined) return {}
  const answer = await fetch(`${prefix}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: demo,
      client_secret: `${demo}-secret`,
    }),
  })
  if (!answer.ok) throw new Error(`${demo} got no token (${answer.status}).`)
  const { access_token } = (await answer.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

async function send(form: HTMLFormElement, demo: string | undefined): Promise<Node[]> {
  const headers = new Headers(await authorization(form, demo))
  for (const { name, value } of form.querySelectorAll('input'))
    if (name.startsWith('header.') && value !== '') headers.set(name.slice('header.'.length), value)
  const body = textIn(form, 'body')
  if (body !== '') headers.set('content-type', form.dataset.type ?? '')
  const begun = performance.now()
  const answer = await fetch(addressOf(form), {
    method: form.dataset.method ?? 'GET',
    headers,
    ...(body !== '' && { body }),
  })
  const bytes = await answer.arrayBuffer()
  return resultOf(answer, bytes, performance.now() - begun)
}

function resultOf(answer: Response, bytes: ArrayBuffer, ms: number): Node[] {
  const type = answer.headers.get('content-type') ?? ''
  const isText = /json|text|xml/.test(type)
  const text = isText
    ? pretty(new TextDecoder().decode(bytes))
    : `${bytes.byteLength} bytes of ${type || 'unknown type'}`
  const traceId = answer.headers.get('x-request-id')
  const tone = answer.ok ? 'good' : 'bad'
  return [
    element(
      'p',
      { class: 'line' },
      element('span', { class: `status ${tone}` }, String(answer.status)),
      ` ${answer.statusText} · ${Math.round(ms)} ms · ${bytes.byteLength} bytes`,
    ),
    ...(traceId === null
      ? []
      : [
          element(
            'p',
            {},
            'traceId ',
            element('code', {}, traceId),
            ' · ',
            element(
              'a',
              { href: `${prefix}/calls/${encodeURIComponent(traceId)}` },
              'Show the call in the console',
            ),
          ),
        ]),
    element('pre', { tabindex: '0' }, element('code', {}, text)),
    element(
      'details',
      {},
      element('summary', {}, 'Headers'),
      element(
        'pre',
        { tabindex: '0' },
        element('code', {}, [...answer.headers].map((pair) => pair.join(': ')).join('\n')),
      ),
    ),
  ]
}

function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    rememberIds(value)
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}
