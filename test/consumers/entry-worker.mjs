new Worker(new URL('./entry-page.mjs', import.meta.url), { type: 'module' })
