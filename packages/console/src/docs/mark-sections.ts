/** Marks the section being read in "On this page". */
export function markSections(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.sections a')]
  const heads = links.flatMap(
    (link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? [],
  )
  if (heads.length === 0) return
  const mark = (): void => {
    const passed = heads.filter((head) => head.getBoundingClientRect().top < 120)
    const current = heads.indexOf(passed.at(-1) ?? (heads[0] as HTMLElement))
    for (const [at, link] of links.entries())
      if (at === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}
