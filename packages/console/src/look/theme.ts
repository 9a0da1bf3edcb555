/** Mantine's theme: its colours, sizes and fonts come from tokens.css. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eaf0ff',
  '#d3defb',
  '#a9bdf3',
  '#8fa8ff',
  '#6d88e8',
  '#4b69d6',
  '#2b4fc7',
  '#2445b0',
  '#1d3a98',
  '#162e7d',
]

export const theme = createTheme({
  fontFamily: 'Inter, system-ui, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "JetBrains Mono", "DejaVu Sans Mono", monospace',
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 3 },
  autoContrast: true,
  defaultRadius: 6,
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '15px', xl: '20px' },
  focusRing: 'auto',
  respectReducedMotion: true,
})

const shared = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink3)',
  '--mantine-color-placeholder': 'var(--ink3)',
  '--mantine-color-default': 'var(--bg)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--control)',
  '--mantine-color-error': 'var(--rejected)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--accent-ink)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: shared,
})
