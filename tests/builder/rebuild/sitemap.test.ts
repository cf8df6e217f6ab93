/** The sitemap: which catalogues it lists, and what a change of one seller rewrites. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { product, user, withTime, writeFolder } from '../../support/rebuild/documents.ts'
import { runRebuild } from '../../support/rebuild/rebuild.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
const SELLERS = Array.from({ length: 40 }, (_, index) => `s${index}`)

const build = (): ReturnType<typeof runRebuild> =>
  runRebuild({
    source: path('source'),
    output: path('dist'),
    state: path('state'),
    env: { SITE_URL: 'https://vitrina.example' },
  })

const createDocuments = (time = '2026-01-02T03:04:05Z'): Parameters<typeof writeFolder>[1] => [
  ...SELLERS.flatMap((seller) => [
    withTime(user(seller), '2025-01-01T00:00:00Z'),
    withTime(product(`p-${seller}`, seller), time),
  ]),
  user('sells nothing'),
  product('odd', "a&b's tienda"),
]

const listFiles = (): readonly string[] => readdirSync(path('dist/sitemaps')).sort()
const readFile = (name: string): string => readFileSync(path('dist', name), 'utf8')

it('the sitemap lists every catalogue with products once, with the time of its newest document', async () => {
  writeFolder(path('source'), createDocuments())
  await build()
  const index = readFile('sitemap.xml')
  for (const file of listFiles())
    expect(index).toContain(`<loc>https://vitrina.example/sitemaps/${file}</loc>`)
  const all = listFiles().map((file) => readFile(`sitemaps/${file}`))
  const urls = all.join('').match(/<url>.*?<\/url>/g) ?? []
  expect(urls).toHaveLength(SELLERS.length + 2)
  for (const seller of SELLERS) {
    const lastmod = '<lastmod>2026-01-02T03:04:05.000Z</lastmod>'
    expect(urls).toContain(`<url><loc>https://vitrina.example/catalogo/${seller}</loc>${lastmod}</url>`)
  }
  expect(urls).toContain('<url><loc>https://vitrina.example/catalogo/a%26b&apos;s%20tienda</loc></url>')
  expect(index).not.toContain('lastmod')
})

it('one file of the sitemap is written when one seller changed, also when only her time did', async () => {
  writeFolder(path('source'), createDocuments())
  await build()
  const times = new Map(listFiles().map((file) => [file, statSync(path('dist/sitemaps', file)).mtimeMs]))
  const documents = createDocuments()
  const touched = withTime(product('p-s7', 's7'), '2026-05-05T00:00:00Z')
  writeFolder(path('source'), [...documents.filter(({ id }) => id !== 'p-s7'), touched])
  const { report } = await build()
  expect(report.pages).toMatchObject({ written: 0 })
  const rewritten = listFiles().filter(
    (file) => statSync(path('dist/sitemaps', file)).mtimeMs !== times.get(file),
  )
  expect(rewritten).toHaveLength(1)
  expect(readFile(`sitemaps/${rewritten[0] ?? ''}`)).toContain('2026-05-05T00:00:00.000Z')
})

it('the sitemap loses a seller who is gone, and a file that lists no seller any more', async () => {
  writeFolder(path('source'), createDocuments())
  await build()
  writeFolder(
    path('source'),
    createDocuments().filter(({ id }) => id !== 'p-s7' && id !== 's7'),
  )
  await build()
  const left = listFiles().map((file) => readFile(`sitemaps/${file}`))
  expect(left.join('')).not.toContain('/catalogo/s7<')
  for (const text of left) expect(text).toContain('<url>')
  for (const file of listFiles()) expect(readFile('sitemap.xml')).toContain(file)
  expect(readFile('sitemap.xml').match(/<sitemap>/g)).toHaveLength(listFiles().length)
})
