import { sidebarOf } from '../sidebar.mjs'

const sidebar = sidebarOf()

/** The documentation as a site: everything that a page needs is in the build, and nothing is requested from elsewhere. */
export default {
  title: 'ichor',
  description: 'Talos Linux clusters on Proxmox VE, from one inventory.',
  lang: 'en',
  srcDir: '.pages',
  cacheDir: '.cache',
  base: process.env.ICHOR_SITE_BASE ?? '/',
  // A page of its own for each file, so that the site also works from a folder without a clever server.
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  head: [['meta', { name: 'color-scheme', content: 'light dark' }]],
  markdown: {
    lineNumbers: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: ({ renderer: { rules } }) => {
      const inline = rules.code_inline
      rules.code_inline = (tokens, index, ...rest) => {
        if (tokens[index].content.length <= 28) tokens[index].attrJoin('class', 'short')
        return inline(tokens, index, ...rest)
      }
    },
  },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Something is wrong', link: '/when-things-go-wrong' },
      { text: 'Commands', link: '/commands' },
      { text: 'Inventory', link: '/inventory' },
    ],
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
    notFound: {
      title: 'There is no such page',
      quote: 'Search finds pages, commands and keys of the inventory; press / or Ctrl K.',
      linkText: 'All pages',
      link: '/contents.html',
    },
  },
}
