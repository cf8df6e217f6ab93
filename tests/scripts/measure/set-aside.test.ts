import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setAside } from '../../../scripts/measure/set-aside.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

test('a folder is gone, and its files stay elsewhere without their content', () => {
  for (const turn of ['first', 'second']) {
    mkdirSync(path('dist/catalogo'), { recursive: true })
    writeFileSync(path('dist/index.html'), turn)
    writeFileSync(path('dist/catalogo/ana.html'), turn)
    setAside(path('dist'), path('aside'))
    expect(existsSync(path('dist'))).toBe(false)
  }
  const kept = readdirSync(path('aside'), { recursive: true, encoding: 'utf8' })
  const pages = kept.filter((name) => name.endsWith('.html'))
  expect(pages).toHaveLength(4)
  expect(pages.map((name) => statSync(join(path('aside'), name)).size)).toEqual([0, 0, 0, 0])
})

test('a folder that is not there is none', () => {
  setAside(path('nowhere'), path('aside'))
  expect(existsSync(path('aside'))).toBe(false)
})
