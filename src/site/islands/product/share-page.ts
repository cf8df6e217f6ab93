/** Part of the inline script of a product's page: shares the page when the visitor clicks the share button. */
import { share } from '../share.ts'

addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('.share') : null
  const { title = '', text = '' } = button?.dataset ?? {}
  if (button !== null) void share({ title, text, url: location.origin + location.pathname })
})
