/** Part of the inline script of a product's page: its share button shares the page, with title and text. */
import { share } from '../share.ts'

addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('.share') : null
  const { title = '', text = '' } = button?.dataset ?? {}
  if (button !== null) void share({ title, text, url: location.origin + location.pathname })
})
