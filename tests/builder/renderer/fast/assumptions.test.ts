/**
 * The internals of Astro and V8 that rendering uses still exist. The next version of either that differs fails here first.
 * Others of this room are tested where they are used: eager-markup, page-astro, plain-web, tune-compiler.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../../../src/builder/state/project-folder.ts'
import { ensureCompiled, findSampleServer } from '../../../support/rebuild/sample-renderer.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Collections, of which each page needs a copy, and plain values. */
const METADATA = {
  copied: [
    'extraHead',
    'extraScriptHashes',
    'extraStyleHashes',
    'hasDirectives',
    'pendingSlotEvaluations',
    'propagators',
    'renderedScripts',
    'rendererSpecificHydrationScripts',
  ],
  plain: [
    'hasHydrationScript',
    'hasRenderedHead',
    'hasRenderedServerIslandRuntime',
    'headInTree',
    'routeHasPropagation',
    'templateDepth',
  ],
}

it('what Astro collects while it renders a page is what prepared-routes.ts copies for each', () => {
  const state = read('node_modules/astro/dist/core/fetch/fetch-state.js')
  const fields = /\n( +)_metadata: \{\n([\s\S]*?)\n\1\}/.exec(state)?.[2] ?? ''
  const names = [...fields.matchAll(/^ +(\w+)[:,]/gm)].map(([, name]) => name ?? '')
  expect(names.toSorted()).toEqual([...METADATA.copied, ...METADATA.plain].toSorted())
  const copy = read('src/builder/renderer/fast/prepared-routes.ts')
  for (const name of METADATA.copied)
    expect(copy).toMatch(new RegExp(`${name}: (new Set\\(|\\[\\.\\.\\.)metadata\\.${name}`))
})

it('V8 has each option that the launcher and tune-compiler.ts set', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  const set = [read('scripts/vitrina.mjs'), read('src/builder/renderer/fast/tune-compiler.ts')].join('\n')
  const names = [...set.matchAll(/setFlagsFromString\([`'"]--(?:no-)?([a-z-]+)/g)].map(([, name]) => name)
  expect(names).toHaveLength(set.split('setFlagsFromString(').length - 1)
  expect(names.filter((name) => !new RegExp(`^ +--(no-)?${name} `, 'm').test(known))).toEqual([])
})

it('the compiled server has the table of without-schemas.ts, and no zod', async () => {
  await ensureCompiled()
  const server = findSampleServer()
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.mjs'),
  )
  const code = files.map((name) => readFileSync(join(server, name), 'utf8')).join('\n')
  // The bundler writes the name of each module above its code.
  expect(code).toContain('node_modules/astro/dist/core/csp/config.js')
  expect(code).not.toContain('node_modules/zod')
})

it('the renderer of React has the option that astro.config.mjs sets', () => {
  const option = 'experimentalDisableStreaming'
  expect(read('astro.config.mjs')).toContain(`${option}: true`)
  expect(read('node_modules/@astrojs/react/dist/server.js')).toContain(`if (opts.${option})`)
})
