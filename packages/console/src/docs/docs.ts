/**
 * What the pages at /docs do in a browser: search, code tabs, copying, trying a call, the theme.
 * The pages can be read without it.
 */
import './docs.css'
import { followOldAnchor, openAround } from './anchors.ts'
import { addCodeTabs } from './code-tabs.ts'
import { addCompletion } from './complete-body.ts'
import { addCopyButtons } from './copy.ts'
import { markSections } from './mark-sections.ts'
import { addSearch } from './search.ts'
import { addThemeSwitch } from './theme.ts'
import { addTryIt } from './try-it.ts'

followOldAnchor()
addCopyButtons()
addCodeTabs()
addThemeSwitch()
addSearch()
addTryIt()
addCompletion()
markSections()
openAround()
addEventListener('hashchange', () => {
  followOldAnchor()
  openAround()
})
document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest' })
