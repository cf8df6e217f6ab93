/** The inline script of a product's page. */
import './choose-size.ts'
import './share-page.ts'
import './show-more.ts'
