/** The inline script of a product's page. This part shares the page when the visitor clicks the share button. */
import './choose-size.ts'
import './show-more.ts'
import { share } from '../share.ts'

addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('.share') : null
  const { title = '', text = '' } = button?.dataset ?? {}
  if (button !== null) void share({ title, text, url: location.origin + location.pathname })
})
