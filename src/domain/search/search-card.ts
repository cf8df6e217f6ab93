/** The format of what a result shows of a product: one line of JSON. */
import type { PageSwitches } from '../documents/page-switches.ts'
import type { Decant } from '../documents/product.ts'
import { formatCataloguePath, formatProductLink, NO_PHOTO } from '../pages/paths.ts'
import type { Picture } from '../photos/picture.ts'
import { formatTransformations } from '../photos/transformations.ts'
import type { SearchCard } from './found-products.ts'
import type { SearchProduct } from './search-entry.ts'

/** The price of an available decant; 0 for a decant that is not available. */
type PackedDecant = readonly [price: number | null] | 0

type Line = readonly [
  link: string,
  name: string,
  price: number | null,
  small: PackedDecant,
  large: PackedDecant,
  photo: string,
  ...picture: PackedPicture,
]

export function formatCard(
  { product, picture }: SearchProduct,
  seller: string,
  switches: PageSwitches,
): string {
  const link = formatProductLink(switches, seller, product.id).slice(formatCataloguePath(seller).length)
  const { name, price, _5ml, _10ml } = product
  const line: Line = [
    link,
    name,
    price,
    packDecant(_5ml),
    packDecant(_10ml),
    findListedPhoto({ product, picture }),
    ...packPicture(picture),
  ]
  return JSON.stringify(line)
}

export function parseCard(text: string): SearchCard {
  const [link, name, price, small, large, photo, ...picture]: Line = JSON.parse(text)
  return {
    link,
    name,
    price,
    _5ml: unpackDecant(small),
    _10ml: unpackDecant(large),
    photo,
    ...unpackPicture(picture, photo),
  }
}

type PackedPicture = readonly [type: string, srcset: string, tone: number | null] | readonly [0] | readonly []

/** The address of a picture that the edge makes follows from the photo, so it is left out. */
function packPicture(picture: Picture | null): PackedPicture {
  if (picture === null) return []
  return picture.type === null ? [0] : [picture.type, formatSource(picture), picture.tone]
}

function unpackPicture(
  [type, srcset, tone]: PackedPicture,
  photo: string,
): Pick<SearchCard, 'source' | 'tone'> {
  if (type === undefined) return { source: null, tone: null }
  if (type === 0)
    return { source: { type: null, srcset: formatSource(formatTransformations(photo)) }, tone: null }
  return { source: { type, srcset: srcset ?? '' }, tone: tone ?? null }
}

function formatSource({ sources: [smallest] }: Picture): string {
  return smallest === undefined ? '' : `/${smallest.path}`
}

/**
 * Returns the address of a product's photo for a list of many sellers. A photo without a picture is shown only if it is
 * on the site itself: a seller who controls the photo's host could otherwise learn who searches for what.
 */
function findListedPhoto({ product: { photo }, picture }: SearchProduct): string {
  if (picture?.fallback !== undefined) return `/${picture.fallback}`
  return picture !== null || photo?.startsWith('/') === true ? (photo ?? NO_PHOTO) : NO_PHOTO
}

function packDecant({ available, price }: Decant): PackedDecant {
  return available ? [price] : 0
}

function unpackDecant(packed: PackedDecant): Decant {
  return packed === 0 ? { available: false, price: null } : { available: true, price: packed[0] }
}
