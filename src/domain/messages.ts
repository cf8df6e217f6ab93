/** Every Spanish text of the interface. Unusual spellings follow the specification. */
import type { Summary } from './catalogue/summary.ts'
import { formatPrice } from './documents/price.ts'
import type { Product } from './documents/product.ts'
import type { OrderSize } from './order/order.ts'
import { MAX_COUNT, MAX_LINES } from './order/order.ts'
import type { OrderWords, WrittenLine } from './order/order-text.ts'
import type { OfferChange as OrderChange } from './order/review-order.ts'
import type { OrderSummary } from './order/stored-order.ts'
import type { DecantChoice, Filter, Order, View } from './catalogue/view.ts'

export const LANGUAGE = 'es-DO'
/** `LANGUAGE` in the notation of Open Graph. */
export const LOCALE = 'es_DO'

export const formatTitle = (name: string, site: string): string => `${name} | ${site}`
export const HOME_TITLE = 'Inicio'
export const HOME_DESCRIPTION =
  'Catálogos de perfumes y decants de vendedores dominicanos, con precios en RD$.'
export const NOT_FOUND_TITLE = 'Página no encontrada'

export const SEARCH_PLACEHOLDER = 'Busca lo que deas'
export const SEARCH_LABEL = 'Buscar'
export const SEARCH_CATALOGUE_LABEL = 'Buscar en este catálogo'
export const SEARCH_ALL_CATALOGUES = 'Buscar en todos los catálogos'
export const ACCESS = 'Acceder'
export const SKIP_TO_CONTENT = 'Saltar al contenido'

export const POPULAR_CATEGORIES = 'Categorias polulares'
export const FIVE_STARS = '5 de 5 estrellas'

export const FILTER_NAMES: Readonly<Record<Filter, string>> = {
  todos: 'Todos',
  disponible: 'Disponible',
  'no-disponible': 'No Disponible',
}
export const FILTER_LABEL = 'Filtrar productos'
export const ORDER_NAMES: Readonly<Record<Order, string>> = {
  nombre: 'Por nombre',
  'precio-menor': 'Menor precio',
  'precio-mayor': 'Mayor precio',
}
export const ORDER_LABEL = 'Ordenar'
export const DECANT_CHOICE_NAMES: Readonly<Record<DecantChoice, string>> = {
  todos: 'Decants: todos',
  '5ml': 'Decants: 5ML',
  '10ml': 'Decants: 10ML',
}
export const DECANT_CHOICE_LABEL = 'Decants'
export const PHOTO_ALT = 'not found'
export const LARGE_PHOTO = 'Ver la foto en grande'
export const SOLD_OUT = 'Agotado'
export const DECANTS = 'Decants'
export const DECANT_SIZES = { _5ml: '5ML', _10ml: '10ML' } as const
export const DECANT_AVAILABLE = 'disponible'
export const DECANT_UNAVAILABLE = 'no disponible'
export const FULL_BOTTLE = 'Frasco'
export const SIZE_NAMES = { frasco: FULL_BOTTLE, '5ml': 'Decant 5 ml', '10ml': 'Decant 10 ml' } as const
export const SIZE = 'Tamaño'
export const SOLD_BY = 'Vendido por'
export const ADD_TO_ORDER = 'Agregar al pedido'
export const ASK_BY_WHATSAPP = 'Preguntar por WhatsApp'
export const MORE_PRODUCTS = 'Más de este catálogo'
export const SHARE = 'Compartir'
export const LINK_COPIED = 'Enlace copiado'
/** Shown above a field from which visitors copy the address. */
export const LINK_TO_COPY = 'Copia este enlace:'
export const BACK_TO_TOP = 'Volver arriba'
export const PRODUCT_GONE = 'Este producto ya no está en el catálogo'
export const PRODUCT_GONE_TEXT = 'Puede que se haya vendido. Mira qué más hay en el catálogo.'
export const NOTHING_TO_SHOW = 'No hay productos que coincidan.'
export const SHOW_EVERYTHING = 'Ver todos los productos'

export const KEPT_PAGE = 'Estás sin señal. Esta es la página que guardamos el'
export const KEPT_PRICES = 'los precios pueden haber cambiado.'
export const TRY_AGAIN = 'Intentar otra vez'
export const OFFLINE_TITLE = 'Sin señal'
export const OFFLINE_HEADING = 'Estás sin señal'
export const OFFLINE_TEXT = 'Esta página no está guardada en este dispositivo.'
export const SEEN_PAGES = 'Páginas que ya viste'

export const NOT_FOUND_HEADING = 'Esta página no existe'
export const NOT_FOUND_TEXT = 'Revisa el enlace que te enviaron o vuelve al inicio.'
export const BACK_HOME = 'Volver al inicio'
export const NO_CATALOGUE = 'Este catálogo no existe. Revisa el enlace.'

export const WHATSAPP = 'WhatsApp'
/** The prefilled text of the WhatsApp link on a catalogue. */
export const formatGreeting = (site: string): string => `Hola, vi tu catálogo en ${site}.`

/** `1 producto`, `2 productos` */
export const formatNoun = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The status that screen readers announce after each change: `3 productos disponibles con decant de 5ML y «bleu»`. */
export function formatProductCount(count: number, { filter, decants, query }: View): string {
  const plural = count === 1 ? '' : 's'
  // The key of a filter is a Spanish adjective that can be shown once a space replaces its hyphen.
  const state = filter === 'todos' ? '' : filter.replace('-', ' ')
  const decant = decants === 'todos' ? '' : `decant de ${decants.toUpperCase()}`
  const parts = [decant, query.trim() && `«${query.trim()}»`].filter(Boolean).join(' y ')
  return `${count} producto${plural}${state && ` ${state}${plural}`}${parts && ` con ${parts}`}`
}

export const SEARCH_HEADING = 'Busca en todos los catálogos'
export const SEARCH_HINT = 'Escribe un producto, una marca o el nombre de un catálogo.'
export const NOTHING_FOUND_TEXT = 'Prueba con menos palabras o escribe solo el comienzo, por ejemplo «sauv».'
export const MORE_FOUND = 'Hay más. Agrega una palabra para encontrar el tuyo.'
export const FOUND_SELLERS = 'Catálogos'
export const MORE_SELLERS = 'Ver más'
export const FOUND_PRODUCTS = 'Productos'
export const SEARCH_BUSY_HEADING = 'Demasiadas búsquedas seguidas'
export const SEARCH_BUSY_TEXT = 'Espera un minuto e inténtalo otra vez.'
export const SEARCH_FAILED_HEADING = 'La búsqueda no responde'
export const SEARCH_FAILED_TEXT = 'Inténtalo otra vez en un minuto. Los catálogos siguen abiertos.'

export const formatSearchTitle = (query: string): string =>
  query === '' ? SEARCH_LABEL : `${SEARCH_LABEL} «${query}»`
/** Label of a decant filter on the search page. */
export const formatDecantFilter = (decants: DecantChoice): string =>
  decants === 'todos' ? FILTER_NAMES.todos : `${DECANTS} ${decants.toUpperCase()}`
export const formatSearchHeading = (query: string): string => `Resultados de «${query}»`

type FoundCount = {
  readonly sellers: number
  readonly products: number
  /** Whether more products match than the page shows. */
  readonly isMore: boolean
  /** True if every match is `misspelt`: see found-products.ts. */
  readonly isNear: boolean
  /** The decant that all found products offer; `todos` if the search was not limited to products with a decant. */
  readonly decants: DecantChoice
}

/** The status of a search: `1 catálogo y más de 30 productos`. */
export function formatFound({ sellers, products, isMore, isNear, decants }: FoundCount): string {
  const name = (count: number, noun: string): string =>
    count === 0 ? '' : `${formatNoun(count, noun)}${isNear ? ` parecido${count === 1 ? '' : 's'}` : ''}`
  const more = isMore && products > 0 ? 'más de ' : ''
  const found = [name(sellers, 'catálogo'), more + name(products, 'producto')]
  const parts = found.filter(Boolean).join(' y ')
  const said = parts === '' ? 'No encontramos nada' : capitalize(parts)
  return decants === 'todos' ? said : `${said} con decant de ${decants.toUpperCase()}`
}

/** The description of a shared catalogue link: `38 productos, 31 disponibles, decants desde RD$250`. */
export function formatDescription({ count, available, decantsFrom }: Summary): string {
  if (count === 0) return 'Todavía no hay productos en este catálogo.'
  const decants = decantsFrom === null ? '' : `, decants desde ${decantsFrom}`
  return `${formatStock(count, available)}${decants}`
}

/** Numbers of products that a feed leaves out, by reason. */
export type LeftOut = { readonly photo: number; readonly price: number; readonly id: number }

/** The comment at the end of a product feed; empty if all products are in it. */
export function formatLeftOut({ photo, price, id }: LeftOut): string {
  const parts = [
    price > 0 && `${formatNoun(price, 'producto')} sin precio`,
    photo > 0 && `${formatNoun(photo, 'producto')} sin foto que se pueda mostrar a 500 píxeles`,
    id > 0 && `${formatNoun(id, 'producto')} con un código que no cabe`,
  ].filter(Boolean)
  return parts.length === 0 ? '' : `Aquí no están: ${parts.join(', ')}.`
}

export const POSTER_TITLE = 'Tu cartel'
export const POSTER_LEAD = 'Comparte tu enlace, imprime tu código y mira qué falta para vender más.'
export const POSTER_LINK = 'Tu enlace'
export const POSTER_SHARE = 'Enviar por WhatsApp'
export const POSTER_OPEN = 'Ver el catálogo'
export const POSTER_PREVIEW = 'Así se ve tu enlace en WhatsApp'
export const POSTER_NO_PICTURE = 'Todavía no tiene imagen.'
export const formatPosterNumber = (whatsapp: string): string => `Tus pedidos llegan al +${whatsapp}.`
export const POSTER_FAULTS = 'Lo que te impide vender'
export const formatPosterFaults = (count: number): string =>
  count === 1 ? 'Una cosa te impide vender' : `${count} cosas te impiden vender`
export const POSTER_NO_FAULTS = 'Nada: todo lo que ofreces tiene nombre, precio y foto.'
export const POSTER_PRINT = 'Imprime tu código'
export const POSTER_PRINT_HINT = 'Elige el tamaño. Cabe en hojas A4 y carta, sin ajustar la escala.'
export const PRINT = 'Imprimir'
/** Names of the formats in which the poster can be printed. */
export const POSTER_FORMS = { sheet: 'Hoja', cards: '8 tarjetas', stickers: '12 etiquetas' } as const
export const POSTER_CODE = 'Código QR de tu catálogo'
/** Printed on the poster, for buyers. */
export const POSTER_SCAN = 'Escanea y mira mi catálogo'
export const POSTER_SCAN_MORE = 'Perfumes y decants, con precios al día.'

interface PosterText {
  /** The name of the fault. `formatPosterMark` appends the number of products, unless the fault concerns the seller. */
  readonly title: string
  readonly advice: string
}

/** The texts of the faults that keep a seller from selling. The key of a fault is called its mark. */
export const POSTER_MARKS = {
  'no-number': {
    title: 'Los compradores no pueden escribirte',
    advice: 'Falta tu número de WhatsApp o no se pudo leer. Escríbelo completo, por ejemplo 809 555 0123.',
  },
  'no-products': {
    title: 'Tu catálogo está vacío',
    advice: 'Agrega tu primer producto con nombre, precio y foto.',
  },
  'all-sold-out': {
    title: 'Todo está agotado',
    advice: 'Nadie puede pedir hasta que marques algo como disponible.',
  },
  'unread-price': {
    title: 'El precio no se pudo leer',
    advice: 'Escribe un solo precio en pesos y solo con cifras, por ejemplo 3500 o RD$3,500.50.',
  },
  'no-price': {
    title: 'Sin precio',
    advice: 'Está disponible, pero sin precio no se puede pedir.',
  },
  'zero-price': {
    title: 'Con precio 0',
    advice: 'Con RD$0 no se puede pedir. Escribe el precio de venta.',
  },
  'no-photo': {
    title: 'Sin foto',
    advice: 'En su lugar se ve el dibujo de un frasco. Con foto se vende más.',
  },
  'lost-photo': {
    title: 'La foto no se pudo cargar',
    advice: 'Súbela otra vez. Si acabas de subirla, espera unos minutos.',
  },
  'same-name': {
    title: 'Con el mismo nombre',
    advice: 'El comprador no sabe cuál es cuál. Agrega al nombre la versión o el tamaño.',
  },
  'sold-out': {
    title: 'Agotado en todos los tamaños',
    advice: 'Se ve en el catálogo, pero no se puede pedir.',
  },
} as const satisfies Readonly<Record<string, PosterText>>

export type PosterMark = keyof typeof POSTER_MARKS

/**
 * `Sin foto: 3 productos`. Returns only the title for `count` 0, because the fault then concerns the seller and not
 * products.
 */
export const formatPosterMark = (mark: PosterMark, count: number): string =>
  count === 0 ? POSTER_MARKS[mark].title : `${POSTER_MARKS[mark].title}: ${formatNoun(count, 'producto')}`

/** The sizes of a product to which a fault of the poster applies: ` (Frasco, Decant 5 ml)`; empty for none. */
export const formatPosterSizes = (sizes: readonly OrderSize[]): string =>
  sizes.length === 0 ? '' : ` (${sizes.map((size) => SIZE_NAMES[size]).join(', ')})`

/** `y 3 más` */
export const formatPosterRest = (count: number): string => `y ${count} más`

/** The text of the link from a product to its catalogue. */
export const formatCatalogueLink = (seller: string): string => `Catálogo de ${seller}`

/** The description of a product's page: `RD$2,900, disponible. Decants: 5ML RD$250. Catálogo de Ana Peña.` */
export function formatProductDescription(product: Product, seller: string): string {
  const { price, available } = product
  const state = available ? DECANT_AVAILABLE : SOLD_OUT.toLowerCase()
  const bottle = price === null ? capitalize(state) : `${formatPrice(price)}, ${state}`
  const decants = formatDecants(product)
  const offered = decants === '' ? '' : ` ${decants}.`
  return `${bottle}.${offered} ${formatCatalogueLink(seller)}.`
}

/** The available decants with a price: `Decants: 5ML RD$250, 10ML RD$450`; empty for none. */
export function formatDecants(product: Pick<Product, '_5ml' | '_10ml'>): string {
  const sizes = (['_5ml', '_10ml'] as const).filter(
    (size) => product[size].available && product[size].price !== null,
  )
  const decants = sizes.map((size) => `${DECANT_SIZES[size]} ${formatPrice(product[size].price)}`)
  return decants.length === 0 ? '' : `${DECANTS}: ${decants.join(', ')}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The text under the site's name in the picture of a link to the home page. */
export const SOCIAL_HOME = 'Catálogos de perfumes y decants'

/**
 * The text that is shared together with an address: `Afnan 9PM · RD$2,600 · Catálogo de María Peña`. An empty price is
 * left out.
 */
export const formatShare = (name: string, price: string, seller: string): string =>
  `${name}${price && ` · ${price}`} · ${formatCatalogueLink(seller)}`

/** `2 × Afnan 9PM 5ML: RD$500` */
export const formatWrittenLine = ({ count, name, size, price }: WrittenLine): string =>
  `${count} × ${formatOrdered(name, size)}: ${price}`

/** The text of a visitor's question to a seller about a product. */
export const formatQuestion = (site: string, product: string, address: string): string =>
  `Hola, vi este producto en ${site} y quiero preguntarte por él:\n\n${product}\n${address}`

export const createOrderWords = (site: string): OrderWords => ({
  greeting: `Hola, vi tu catálogo en ${site} y quiero pedir:`,
  formatLine: formatWrittenLine,
  formatRest: (lines) => `… y ${formatNoun(lines, 'producto')} más`,
  formatTotal,
  closing: '¿Lo tienes disponible? ¿Cómo te pago y cómo lo recibo?',
})

export const ADD = 'Agregar'
export const CLOSE = 'Cerrar'
export const ORDER = 'Tu pedido'
export const SEE_ORDER = 'Ver pedido'
export const ORDER_FULL = `No caben más: un pedido lleva ${MAX_LINES} productos distintos y ${MAX_COUNT} de cada uno.`
export const ORDER_LOST = 'Sin señal. Inténtalo otra vez.'
export const ORDER_FAILED = 'Este navegador no puede hacer pedidos.'
export const ORDER_NOT_KEPT = 'Este navegador no guarda tu pedido. Envíalo antes de cerrar la página.'
export const NOTHING_ORDERED = 'Tu pedido está vacío. Toca + en un producto para agregarlo.'
export const TO_CATALOGUE = 'Ver el catálogo'
export const REMOVE = 'Quitar'
export const EMPTY_ORDER = 'Vaciar pedido'
export const ORDER_EMPTIED = 'Pedido vaciado'
export const ORDER_RESTORED = 'Tu pedido está como antes'
export const UNDO = 'Deshacer'
export const formatTotal = (total: string): string => `Total: ${total}`
export const formatHowToOrder = (whatsapp: string | null, seller: string): string =>
  `Arma tu pedido y envíalo${whatsapp === null ? '' : ' por WhatsApp'}; el pago y la entrega los acuerdas con ${seller}.`
export const IS_ORDER_SENT = '¿Ya lo enviaste?'
export const SEND_AGAIN = 'Enviar otra vez'
export const ORDER_BY_WHATSAPP = 'Pedir por WhatsApp'
export const SHARE_ORDER = 'Compartir pedido'
export const ORDER_TEXT = 'Texto de tu pedido'
export const ORDER_COPIED = 'Pedido copiado. '
export const ORDER_NOT_COPIED = 'Copia el texto de tu pedido. '

/** `Afnan 9PM 5ML`; a bottle has no size. */
export const formatOrdered = (name: string, size: OrderSize): string =>
  size === 'frasco' ? name : `${name} ${size.toUpperCase()}`
/** `Decant 10 ml · RD$525 c/u` */
export const formatUnit = (size: OrderSize, price: string): string => `${SIZE_NAMES[size]} · ${price} c/u`
export const formatAdded = (ordered: string): string => `Agregado: ${ordered}`
export const formatRemoved = (ordered: string): string => `Quitado: ${ordered}`
export const formatOneLess = (ordered: string): string => `Uno menos: ${ordered}`
export const formatOneMore = (ordered: string): string => `Uno más: ${ordered}`

/** The text of the order's bar: `3 productos · RD$2,850`. */
export const formatOrderBar = ({ count, total }: OrderSummary): string =>
  `${count} producto${count === 1 ? '' : 's'} · ${total}`

/**
 * The note next to an order line that changed since the visitor last saw the order. `price` is the current price,
 * formatted.
 */
export function formatChange(change: OrderChange, price: string): string {
  if (change.kind === 'price') return `Nuevo precio: ${price}, antes ${formatPrice(change.before)}`
  return CHANGES[change.kind]
}

/** The text under the seller's name in the picture of a shared link. */
export const formatSocialCount = (count: number): string =>
  count === 0 ? 'Catálogo en línea' : formatNoun(count, 'producto')

const CHANGES = {
  'sold-out': `${SOLD_OUT}: no entra en el pedido`,
  'no-price': 'Sin precio: no entra en el pedido',
  gone: 'Ya no está en el catálogo',
} as const

function formatStock(count: number, available: number): string {
  const products = formatNoun(count, 'producto')
  const plural = count === 1 ? '' : 's'
  if (available === 0) return `${products} agotado${plural}`
  if (available === count) return `${products} disponible${plural}`
  return `${products}, ${formatNoun(available, 'disponible')}`
}
