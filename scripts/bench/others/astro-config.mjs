/** Configures the site that the bench compares with Vitrina: a plain static Astro project. */
import react from '@astrojs/react'
import { defineConfig, passthroughImageService } from 'astro/config'
import { fileURLToPath } from 'node:url'

// The bench copies this file to the root of the Astro project. The paths resolve only there.
const plugins = new URL('src/builder/renderer/', import.meta.url)
const { bundledModules } = await import(new URL('bundled-modules.ts', plugins).href)
const { omitIslandCode } = await import(new URL('island-code.ts', plugins).href)

const directives = {
  name: 'bench:directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({
        name: 'interaction',
        entrypoint: fileURLToPath(new URL('src/site/islands/built-interaction.ts', import.meta.url)),
      }),
  },
}

export default defineConfig({
  srcDir: 'src/site',
  output: 'static',
  trailingSlash: 'never',
  cacheDir: './cache',
  build: { format: 'file', inlineStylesheets: 'always' },
  image: { service: passthroughImageService() },
  integrations: [react(), directives],
  vite: { cacheDir: './cache/vite', plugins: [bundledModules(), omitIslandCode()] },
})
