/** Starts the console: policy, look, language, session; then the shell. */
import './trusted-types.ts'
import './page-facts.ts'
import './look/mantine.css.ts'
import './look/tokens.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { chosenLanguage } from './choices.ts'
import { cssVariables, theme } from './look/theme.ts'
import { nonce, prefix } from './page-facts.ts'
import { queryClient } from './queries.ts'
import { readAhead, Start } from './start.tsx'
import { takeWelcomeToken } from './welcome-token.ts'
import { directionOf, LanguageContext, loadWords } from './words/words.ts'

takeWelcomeToken(prefix)
// A link that is opened where the console is open already.
addEventListener('hashchange', () => location.hash.startsWith('#/welcome/') && location.reload())
const language = chosenLanguage()
document.documentElement.lang = language
document.documentElement.dir = directionOf(language)
readAhead(location.pathname.slice(prefix.length), language)
await loadWords(language, 'shell', 'parts', 'states', 'palette')

createRoot(document.querySelector('#console') as HTMLElement).render(
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
            <Start />
          </Router>
        </LanguageContext>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
