/**
 * Part of the inline script of a product's page: selects the size that the address names, and shows the price of the
 * selected size.
 */
import { SIZE_PARAMETER } from '../../../domain/pages/paths.ts'
import { find } from '../find.ts'

function showPrice(): void {
  const price = find('.size :checked ~ .price')?.textContent
  if (price) find('.offer .add span')?.replaceChildren(price)
}

const named = new URLSearchParams(location.search).get(SIZE_PARAMETER)
for (const size of document.querySelectorAll<HTMLInputElement>('.size input'))
  if (size.value === named && !size.disabled) size.checked = true
showPrice()
addEventListener('change', showPrice)
// Browsers may restore the previously chosen size when the visitor returns to the page, so the price is shown again.
addEventListener('pageshow', showPrice)
