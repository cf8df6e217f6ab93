import react from '@astrojs/react'
import { defineConfig, passthroughImageService } from 'astro/config'
import { fileURLToPath } from 'node:url'
import { renderer } from './src/builder/renderer/integration.ts'

const data = fileURLToPath(new URL(process.env.CATALOGUE_SOURCE || 'vitrina.sqlite', import.meta.url))

export default defineConfig({
  srcDir: 'src/site',
  output: 'server',
  outDir: '.vitrina/compiled',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  devToolbar: { enabled: false },
  image: { service: passthroughImageService() },
  // No island waits for anything, and React renders one faster as a text than as a stream, with the same bytes.
  integrations: [react({ experimentalDisableStreaming: true })],
  adapter: renderer({
    devMiddleware: new URL('src/builder/commands/local/dev-middleware.ts', import.meta.url),
    devData: [data, `${data}/users.ndjson`, `${data}/cataloge.ndjson`],
  }),
})
