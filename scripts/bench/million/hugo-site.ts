/**
 * Prepares a Hugo site of catalogues. The frame of its pages is cut from a page built by Vitrina; Hugo renders a card
 * for each product.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import type { Competitor } from '../rebuilds/astro-site.ts'
import type { BenchSite } from '../rebuilds/bench-site.ts'
import { loadCatalogues } from '../rebuilds/site-data.ts'

const LIST = /(?<=<ul class="products" role="list">).*?(?=<\/ul>)/s

/**
 * The cards show photo, name and prices. They do not say what is sold out, and lack most attributes that scripts use.
 */
const TEMPLATE = `{{ .Site.Params.start | safeHTML }}{{ .Title }}{{ .Site.Params.middle | safeHTML }}{{ range .Params.products }}<li class="card" data-price="{{ .price }}"><article><img src="{{ .photo }}" alt="{{ .name }}" width="400" height="500" loading="lazy" decoding="async"><h2><bdi>{{ .name }}</bdi></h2><p class="price">{{ .shown }}</p><dl>{{ range .decants }}<div><dt>{{ .size }}</dt><dd>{{ .shown }}</dd></div>{{ end }}</dl></article></li>{{ end }}{{ .Site.Params.end | safeHTML }}`

export function createHugoSite(folder: string, site: BenchSite): Competitor {
  const own = join(folder, 'hugo')
  rmSync(own, { recursive: true, force: true })
  const [content, layouts] = [join(own, 'content/catalogo'), join(own, 'layouts/_default')]
  for (const made of [content, layouts]) mkdirSync(made, { recursive: true })
  writeFileSync(join(own, 'config.json'), JSON.stringify(createConfiguration(site)))
  writeFileSync(join(layouts, 'single.html'), TEMPLATE)
  for (const { seller, name, products } of loadCatalogues(site.source)) {
    const page = {
      title: name,
      products: products.map(({ name: title, photo, price, _5ml, _10ml }) => ({
        name: title,
        photo,
        price,
        shown: formatPrice(price),
        decants: [
          { size: '5ML', shown: formatPrice(_5ml.price) },
          { size: '10ML', shown: formatPrice(_10ml.price) },
        ],
      })),
    }
    writeFileSync(join(content, `${seller}.md`), JSON.stringify(page))
  }
  return {
    output: join(own, 'dist'),
    command: { program: 'hugo', args: ['--quiet', '--destination', 'dist'], folder: own },
  }
}

function createConfiguration({ output }: BenchSite): object {
  const name = readdirSync(join(output, 'catalogo')).find((file) => file !== '404.html') ?? ''
  const page = readFileSync(join(output, 'catalogo', name), 'utf8')
  const [frame = '', end = ''] = page.split(LIST)
  const [start = '', middle = ''] = frame.split(/(?<=<title>).*?(?= \| )/s)
  return {
    baseURL: 'http://localhost:8787/',
    uglyURLs: true,
    disablePathToLower: true,
    disableKinds: ['taxonomy', 'term', 'section', 'home', 'RSS', 'sitemap', 'robotsTXT', '404'],
    params: { start, middle, end },
  }
}
