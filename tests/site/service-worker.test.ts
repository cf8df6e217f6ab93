/** The texts that the service worker makes, without a browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { ROOT } from '../../src/builder/files/project-folder.ts'

const worker = runInNewContext(
  `${readFileSync(join(ROOT, 'public/service-worker.js'), 'utf8')}; ({ fillMain })`,
  {
    addEventListener: () => {},
  },
) as { fillMain: (html: string, content: string) => string }

it('the service worker puts a text with any characters in the place of what the main element holds', () => {
  expect(worker.fillMain('<p>a</p><main id="x">b</main><p>c</p>', '<b>$1</b>')).toBe(
    '<p>a</p><main id="x"><b>$1</b></main><p>c</p>',
  )
  expect(worker.fillMain('<p>a</p>', 'b')).toBe('<p>a</p>')
})

it('the service worker reads a page of a million beginnings of an element once', () => {
  for (const html of ['<main'.repeat(400_000), '<main>'.repeat(400_000)])
    expect(worker.fillMain(html, '')).toBe(html)
})
