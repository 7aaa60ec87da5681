import DefaultTheme from 'vitepress/theme'
import './ichor.css'

export default DefaultTheme
