/**
 * Makes catalogue pages with Hugo, if it is installed. The frame of its pages is cut from a page built by this project.
 * A card shows photo, name and prices, but not what is sold out, and it has no buttons and no structured data.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { Generator } from './generator.ts'
import { loadCatalogues } from './generator.ts'

const TEMPLATE = [
  '{{ .Site.Params.start | safeHTML }}{{ .Title }}{{ .Site.Params.middle | safeHTML }}',
  '{{ range .Params.products }}<li class="card" data-price="{{ .price }}"><article>',
  '<img src="{{ .photo }}" alt="{{ .name }}" width="400" height="500" loading="lazy" decoding="async">',
  '<h2><bdi>{{ .name }}</bdi></h2><p class="price">{{ .shown }}</p>',
  '<dl>{{ range .decants }}<div><dt>{{ .size }}</dt><dd>{{ .shown }}</dd></div>{{ end }}</dl></article></li>{{ end }}',
  '{{ .Site.Params.end | safeHTML }}',
].join('')

/** Prepares Hugo in the folder `own`; `page` is any built catalogue page. Returns `null` if Hugo is not installed. */
export function createHugoSite(own: string, database: string, page: string): Generator | null {
  if (spawnSync('hugo', ['version']).error !== undefined) return null
  rmSync(own, { recursive: true, force: true })
  const [content, layouts] = [join(own, 'content/catalogo'), join(own, 'layouts/_default')]
  for (const made of [content, layouts]) mkdirSync(made, { recursive: true })
  writeFileSync(join(own, 'config.json'), JSON.stringify(createConfiguration(page)))
  writeFileSync(join(layouts, 'single.html'), TEMPLATE)
  for (const { seller, name, products } of loadCatalogues(database)) {
    const shown = products.map(({ name: title, photo, price, _5ml, _10ml }) => ({
      name: title,
      photo,
      price,
      shown: formatPrice(price),
      decants: [
        { size: '5ML', shown: formatPrice(_5ml.price) },
        { size: '10ML', shown: formatPrice(_10ml.price) },
      ],
    }))
    writeFileSync(join(content, `${seller}.md`), JSON.stringify({ title: name, products: shown }))
  }
  const build: Generator['build'] = (output) => ({
    program: 'hugo',
    args: ['--quiet', '--destination', output],
    folder: own,
  })
  return { name: 'Hugo', build }
}

function createConfiguration(page: string): object {
  const [frame = '', end = ''] = page.split(/(?<=<ul class="products" role="list">).*?(?=<\/ul>)/s)
  const [start = '', middle = ''] = frame.split(/(?<=<title>).*?(?= \| )/s)
  return {
    baseURL: 'http://localhost:8787/',
    uglyURLs: true,
    disablePathToLower: true,
    disableKinds: ['taxonomy', 'term', 'section', 'home', 'RSS', 'sitemap', 'robotsTXT', '404'],
    params: { start, middle, end },
  }
}
