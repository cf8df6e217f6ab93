/** The configuration of the same site as a plain static Astro project. */
import react from '@astrojs/react'
import { defineConfig, passthroughImageService } from 'astro/config'
import { fileURLToPath } from 'node:url'
import { inlineScript } from './src/renderer/inline-script.ts'

const directives = {
  name: 'bench:directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) =>
      addClientDirective({
        name: 'interaction',
        entrypoint: fileURLToPath(new URL('src/islands/interaction-directive.ts', import.meta.url)),
      }),
  },
}

export default defineConfig({
  output: 'static',
  trailingSlash: 'never',
  cacheDir: './cache',
  build: { format: 'file', inlineStylesheets: 'always' },
  image: { service: passthroughImageService() },
  integrations: [react(), directives],
  vite: { cacheDir: './cache/vite', plugins: [inlineScript()] },
  experimental: { incrementalBuild: process.env.BENCH_INCREMENTAL === '1' },
})
