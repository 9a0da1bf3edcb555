/** The samples beside a call: its request in each language, and its response. */

import { highlight } from './highlight.ts'
import { type Html, html } from './html.ts'
import {
  type CodeLanguage,
  codeFor,
  codeLanguages,
  type SampleName,
  sampleCall,
} from './reference/index.ts'

const labels: Record<CodeLanguage, string> = {
  curl: 'curl',
  sdk: 'SDK',
  php: 'PHP',
  python: 'Python',
  csharp: 'C#',
  java: 'Java',
}

/**
 * Tabs with the same request in each language. The reader's choice is stored and applies to every
 * page.
 */
export function requestSample(name: SampleName, base: string): Html {
  const call = sampleCall(name)
  return html`<section class="sample" aria-label="Sample request">
<div class="head"><span class="label">Request</span></div>
<div class="tabs" role="tablist" aria-label="Language of the sample" hidden>${codeLanguages.map(
    (language) =>
      html`<button type="button" role="tab" id="tab-${language}" aria-controls="code-${language}" data-code="${language}">${labels[language]}</button>`,
  )}</div>
${codeLanguages.map(
  (language) =>
    html`<div class="code" id="code-${language}" data-code="${language}" data-copy><p class="language">${labels[language]}</p><pre tabindex="0"><code>${highlight(codeFor(language, call, { baseUrl: base }).trimEnd(), language)}</code></pre></div>
`,
)}</section>`
}

export function answerSample(name: SampleName): Html {
  const { status, answer, downloads } = sampleCall(name)
  const text =
    downloads === undefined
      ? JSON.stringify(answer, null, 2)
      : `HTTP/1.1 ${status}\nLocation: …/fms/files/…\n\nThe bytes of ${downloads}`
  return html`<section class="sample" aria-label="Sample answer">
<div class="head"><span class="label">Response</span><span class="status good">${status}</span></div>
<div class="code" data-copy><pre tabindex="0"><code>${highlight(text, downloads === undefined ? 'json' : 'text')}</code></pre></div>
</section>`
}
