/**
 * The styles of every page: Mantine's, component by component, in its order, then ours. Each page
 * imports those that only it uses.
 */
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/VisuallyHidden.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/Menu.css'
import './tokens.css'
