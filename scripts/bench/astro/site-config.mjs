/** Configures the same site as a plain static Astro project. */
import react from '@astrojs/react'
import { defineConfig, passthroughImageService } from 'astro/config'
import { fileURLToPath } from 'node:url'

// This path resolves only at the root of the project that this file is copied to.
const { inlineScript } = await import(new URL('src/builder/renderer/inline-script.ts', import.meta.url).href)

const directives = {
  name: 'bench:directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({
        name: 'interaction',
        entrypoint: fileURLToPath(new URL('src/site/islands/interaction-directive.ts', import.meta.url)),
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
  vite: { cacheDir: './cache/vite', plugins: [inlineScript()] },
  experimental: { incrementalBuild: process.env.BENCH_INCREMENTAL === '1' },
})
