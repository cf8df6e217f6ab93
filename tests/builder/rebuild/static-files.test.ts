/** Files made from settings: robots.txt, and the service worker that can be switched off. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RETIRED, SERVICE_WORKER } from '../../../src/builder/rebuild/service-worker.ts'
import { user } from '../../support/documents.ts'
import { useTemporaryFolder } from '../../support/temporary.ts'
import { runInWorld } from '../../support/world.ts'

const path = useTemporaryFolder()

const run = (keepsPages: boolean) =>
  runInWorld({
    folder: path(),
    documents: [user('ana')],
    wrap: (world) => ({
      ...world,
      inputs: {
        ...world.inputs,
        keepsPages,
        settings: { ...world.inputs.settings, url: 'https://vitrina.example' },
        publicFiles: { ...world.inputs.publicFiles, [SERVICE_WORKER]: 'digest' },
        readPublicFile: (file) =>
          file === SERVICE_WORKER ? Buffer.from('keeps') : world.inputs.readPublicFile(file),
      },
    }),
  })

const read = (file: string): string => readFileSync(path('dist', file), 'utf8')

it('names the sitemap under the address of the site', async () => {
  await run(true)
  expect(read('robots.txt')).toBe(
    'User-agent: *\nDisallow: /api/\n\nSitemap: https://vitrina.example/sitemap.xml\n',
  )
})

it('replaces the service worker by one that unregisters itself if it is switched off, and restores it', async () => {
  for (const [keepsPages, text] of [
    [true, 'keeps'],
    [false, RETIRED],
    [true, 'keeps'],
  ] as const) {
    await run(keepsPages)
    expect(read(SERVICE_WORKER)).toBe(text)
  }
})
