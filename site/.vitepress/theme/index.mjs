// The default theme, and what narrow screens need.

import theme from 'vitepress/theme'
import './narrow.css'

export default theme
