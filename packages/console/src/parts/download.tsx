/** A link that downloads the file to which a call redirects. */
import { credentials } from '../hub.ts'
import { Glyph } from '../look/glyphs.tsx'
import { prefix } from '../page-facts.ts'
import { useSession } from '../session.tsx'
import css from './controls.module.css'

type DownloadProps = { readonly path: string; readonly name: string; readonly label: string }

export function Download({ path, name, label }: DownloadProps) {
  const { sites, siteId } = useSession()
  const href = `${prefix}/console/api${path}`
  // A link cannot name a site, so it always means the person's first one.
  const isOther = sites[0]?.siteId !== siteId
  return (
    <a
      href={href}
      download={name}
      className={`${css.button} ${css.quiet} ${css.small}`}
      aria-label={label}
      title={label}
      onClick={(event) => {
        if (!isOther) return
        event.preventDefault()
        void fetchFile(href, name)
      }}
    >
      <Glyph name="download" size={14} />
    </a>
  )
}

async function fetchFile(href: string, name: string): Promise<void> {
  const answer = await fetch(href, { headers: { 'x-dragoman-site': credentials.siteId } })
  if (answer.ok) saveFile(name, await answer.blob())
}

/** Offers the bytes to the browser as a download. */
export function saveFile(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
