/** Elements made from text alone: nothing here reads markup. */
type Attributes = Readonly<Record<string, string>>

export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** The path that the hub is served under. */
export const prefix = document.body.dataset.prefix ?? ''
