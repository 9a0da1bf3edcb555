/** Starts the console: policy, theme, language, session; then the shell. */
import './trusted-types.ts'
import './page-facts.ts'
import './left.ts'
import './look/styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { chosenLanguage } from './choices.ts'
import { cssVariables, theme } from './look/theme.ts'
import { MissingFile } from './missing-file.ts'
import { nonce, prefix } from './page-facts.ts'
import { Caught } from './parts/caught.tsx'
import { queryClient } from './queries.ts'
import { readAhead, Start } from './start.tsx'
import { takeWelcomeToken } from './welcome-token.ts'
import { directionOf, LanguageContext, loadEveryPage } from './words/words.ts'

takeWelcomeToken(prefix)
// A link was opened in a tab where the console is already open.
addEventListener('hashchange', () => location.hash.startsWith('#/welcome/') && location.reload())
const language = chosenLanguage()
document.documentElement.lang = language
document.documentElement.dir = directionOf(language)
readAhead(location.pathname.slice(prefix.length), language)
await loadEveryPage(language).catch((error: unknown) => {
  // Shows the sentence of index.html at once.
  for (const animation of document.querySelector('#late')?.getAnimations() ?? []) animation.finish()
  throw error
})

createRoot(document.querySelector('#console') as HTMLElement, {
  // The page says that a file did not arrive, and the browser's console which one.
  onCaughtError: (error) => error instanceof MissingFile || console.error(error),
}).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <LanguageContext value={language}>
          <Router base={prefix}>
            <Caught>
              <Start />
            </Caught>
          </Router>
        </LanguageContext>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
