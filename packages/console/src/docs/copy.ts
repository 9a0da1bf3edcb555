/** A button beside every piece of code. */
import { element } from './elements.ts'

export function addCopyButtons(): void {
  if (!navigator.clipboard) return
  for (const piece of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const said = element('span', { 'aria-live': 'polite' }, 'Copy')
    const button = element('button', { type: 'button', class: 'copy' }, said)
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(piece.querySelector('code')?.textContent ?? '')
      said.textContent = 'Copied'
      setTimeout(() => {
        said.textContent = 'Copy'
      }, 1500)
    })
    piece.append(button)
  }
}
