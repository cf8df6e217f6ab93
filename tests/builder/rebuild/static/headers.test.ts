/** The rules for the edge: they depend on the code alone. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatHeaders } from '../../../../src/builder/rebuild/static/edge-headers.ts'
import { product, user, writeFolder } from '../../../support/rebuild/documents.ts'
import { copyCompiledProject } from '../../../support/run/copy-project.ts'
import { runRebuild } from '../../../support/rebuild/rebuild.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

beforeEach(() => {
  writeFolder(path('source'), [user('ana'), product('uno', 'ana')])
})

const place = (name = 'dist') => ({
  source: path('source'),
  output: path(name),
  state: path(`${name}-state`),
})
const readHeaders = (name = 'dist'): string => readFileSync(path(name, '_headers'), 'utf8')

describe('the rules for the edge', () => {
  it('are the same for any data, name and address of the site', async () => {
    await runRebuild(place())
    writeFolder(path('source'), [user('eva', '<style>'), user('luz')])
    const env = { SITE_NAME: 'Otra', SITE_URL: 'https://otra.example', ACCESS_URL: 'https://otra.example/in' }
    await runRebuild({ ...place('other'), env })
    expect(readHeaders('other')).toBe(readHeaders())
  })

  it('stay when nothing is rendered and the renderer is lost', async () => {
    const project = copyCompiledProject(path('project'))
    await runRebuild({ ...place(), project })
    const before = readHeaders()
    rmSync(join(project, '.vitrina/renderers'), { recursive: true })
    const { report } = await runRebuild({ ...place(), project })
    expect(report).toMatchObject({ exit: 0, compiled: false, pages: { written: 0 } })
    expect(readHeaders()).toBe(before)
  })

  it('list hashed files in a fixed order, and refuse a line that is too long for the edge', () => {
    const inline = { scripts: [], styles: [] }
    const headers = formatHeaders(['_astro/b.js', '_astro/a.js'], inline)
    expect(headers.indexOf('/_astro/a.js\n')).toBeLessThan(headers.indexOf('/_astro/b.js\n'))
    const many = Array.from({ length: 40 }, (_, index) => `'sha256-${String(index).padStart(44, '0')}'`)
    expect(() => formatHeaders([], { scripts: many, styles: [] })).toThrow(
      /Content-Security-Policy has 2\d+ char/,
    )
  })

  it('allow the inline code of earlier renderers too, of as many as fit into the line', () => {
    const list = (name: string, count: number) => ({
      scripts: Array.from({ length: count }, (_, index) => `'sha256-${name}${index}'`),
      styles: ["'sha256-style'"],
    })
    const headers = formatHeaders([], list('now', 2), [
      list('before', 3),
      list('many', 200),
      list('first', 1),
    ])
    const names = ['now0', 'now1', 'before0', 'before1', 'before2', 'first0'].map(
      (name) => `'sha256-${name}'`,
    )
    expect(headers).toContain(`; script-src 'self' ${names.join(' ')}; style-src 'sha256-style';`)
  })
})
