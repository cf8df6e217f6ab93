/**
 * Part of the inline script of a product's page: when the section of more products scrolls into view, fetches the page
 * of the catalogue and shows some of its products. The built page therefore depends on no other product.
 */
import { find } from '../find.ts'

/** Max products shown. Six fill complete rows of two, three or six. */
const MOST = 6
const OFFERED = ['', '5ml', '10ml'].map((size) => `.card[data-${size || 'available'}]`).join()

const place = find('.more')
const catalogue = place?.querySelector('a')?.pathname ?? ''

const observer = new IntersectionObserver(([entry]) => {
  if (!entry?.isIntersecting) return
  observer.disconnect()
  // If the catalogue cannot be fetched, the visitor still has the link to it.
  showMore().catch(() => {})
})

async function showMore(): Promise<void> {
  const response = await fetch(catalogue)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const items = listOthers([...page.querySelectorAll(OFFERED)]).flatMap(createItem)
  place?.querySelector('ul')?.append(...items.slice(0, MOST))
}

/** Returns the cards after the page's own product in the order of the catalogue, then the cards before it. */
function listOthers(cards: readonly Element[]): readonly Element[] {
  const own = cards.findIndex(({ id }) => id === find('.product')?.id)
  return [...cards.slice(own + 1), ...cards.slice(0, Math.max(0, own))]
}

/** Returns the list item made from a card; an empty list for a product without a page. */
function createItem(card: Element): readonly Element[] {
  const link = card.querySelector('h2 a')
  const photo = card.querySelector('picture, img')
  const price = card.querySelector('.price')
  if (!link || !photo || !price) return []
  // The photo needs no alternative text, because the link already contains the product's name.
  card.querySelector('img')?.setAttribute('alt', '')
  link.prepend(photo)
  link.append(price)
  const item = document.createElement('li')
  item.append(link)
  return [item]
}

if (place) addEventListener('load', () => observer.observe(place))
