/** Generates the documents of a seller from a number. Equal arguments give equal documents. */
import type { SourceDocument } from '../../src/domain/documents/document.ts'
import type { Random } from '../measure/random.ts'
import { createRandom } from '../measure/random.ts'

export interface MadeSeller {
  readonly id: string
  /** `null` for a seller without a profile. */
  readonly profile: SourceDocument | null
  readonly products: readonly SourceDocument[]
}

/** Must be incremented when the generated documents change, so that data on disk is generated again. */
export const DATA_VERSION = 2

export const FIRST_NAMES = readWords(`
  Rosa Amelia, Ana, José Manuel, Yokasta, Ramón, María Altagracia, Luis Miguel, Carolina, Wilkin,
  Altagracia, Juan Carlos, Yesenia, Pedro, Leidy Laura, Franklin, Milagros, Ángel, Génesis,
  Rafael Antonio, Íngrid
`)
export const LAST_NAMES = readWords(`
  Peña Marte, Núñez Báez, Rodríguez Polanco, De los Santos, Jiménez, Encarnación Díaz, Rosario,
  Guzmán Féliz, Almonte, Castillo Ureña, Mejía, Santana, Tavárez Cruz, Brito, Paulino, Ventura Núñez,
  Acosta, Reynoso Then
`)
export const PERFUMES = readWords(`
  Versace Bright Crystal, Versace Eros Flame, Dior Homme Intense, Dior Sauvage Elixir,
  Dior J'adore L'Or, Chanel Bleu de Chanel, Chanel Coco Mademoiselle, Chanel N°5,
  Carolina Herrera Good Girl, Carolina Herrera 212 VIP Rosé, Paco Rabanne 1 Million,
  Paco Rabanne Phantom, Jean Paul Gaultier Le Mâle, Jean Paul Gaultier Scandal,
  Zadig & Voltaire This Is Him!, Lancôme La Vie Est Belle, Lancôme Idôle, Yves Saint Laurent Y,
  Yves Saint Laurent Libre, Giorgio Armani Acqua di Giò, Giorgio Armani Sì Passione,
  Dolce & Gabbana Light Blue, Dolce & Gabbana The One, Tom Ford Oud Wood, Tom Ford Lost Cherry,
  Creed Aventus, Montblanc Explorer, Hermès Terre d’Hermès, Givenchy L’Interdit, Burberry Her,
  Valentino Uomo Born in Roma, Valentino Donna, Lattafa Asad, Lattafa Yara,
  Armaf Club de Nuit Intense, Al Haramain Amber Oud, Maison Francis Kurkdjian Baccarat Rouge 540,
  Parfums de Marly Delina, Nishane Hacivat, Xerjoff Erba Pura
`)
const CONCENTRATIONS = readWords('Eau de Parfum, Eau de Toilette, Parfum, Eau de Cologne')
const BOTTLE_SIZES = readWords('30 ml, 50 ml, 60 ml, 75 ml, 90 ml, 100 ml, 125 ml, 200 ml')

const FEWEST = 5
const MOST = 45
const PHOTOS = 'https://firebasestorage.googleapis.com/v0/b/vitrina-bench.appspot.com/o'
const FIRST_DAY = Date.UTC(2026, 0, 1)
const SECONDS = 200 * 24 * 3600
const FIRST_NUMBER = 8_095_550_100
const NUMBERS = 100

/** Returns the seller with this number. The seller has `products` products; with `null`, from 5 to 45. */
export function makeSeller(number: number, products: number | null = null): MadeSeller {
  const random = createRandom(number)
  const id = random.id(28)
  const profile = random.chance(0.97) ? createProfile(id, random, createNumber(number)) : null
  const drawn = FEWEST + random.below(MOST - FEWEST + 1)
  const made = Array.from({ length: products ?? drawn }, (_, index) => {
    const serial = (number * (MOST + 1) + index).toString(36).padStart(6, '0')
    return createProduct(random.id(14) + serial, id, random)
  })
  return { id, profile, products: made }
}

/** Returns an unassigned phone number, which other sellers may share; `null` for every tenth seller. */
function createNumber(number: number): string | null {
  return number % 10 === 0 ? null : String(FIRST_NUMBER + (number % NUMBERS))
}

function createProfile(id: string, random: Random, whatsapp: string | null): SourceDocument {
  const data = {
    fName: random.pick(FIRST_NAMES),
    lName: random.pick(LAST_NAMES),
    ...(whatsapp !== null && { whatsapp }),
  }
  return { collection: 'users', id, updateTime: createTime(random), data }
}

function createProduct(id: string, seller: string, random: Random): SourceDocument {
  const data = {
    id,
    name: `${random.pick(PERFUMES)} ${random.pick(CONCENTRATIONS)} ${random.pick(BOTTLE_SIZES)}`,
    photo: `${PHOTOS}/cataloge%2F${id}.jpg?alt=media`,
    price: 1_500 + 50 * random.below(350),
    available: random.chance(0.85),
    owner: { id: seller },
    ...(random.chance(0.9) && { _5ml: createDecant(random, 300) }),
    ...(random.chance(0.9) && { _10ml: createDecant(random, 550) }),
  }
  return { collection: 'cataloge', id, updateTime: createTime(random), data }
}

function createDecant(random: Random, from: number): { price: number; available: boolean } {
  return { price: from + 25 * random.below(40), available: random.chance(0.8) }
}

function createTime(random: Random): string {
  return new Date(FIRST_DAY + 1000 * random.below(SECONDS)).toISOString()
}

/** Splits a list at its commas. */
function readWords(list: string): readonly [string, ...string[]] {
  const [first = '', ...rest] = list.trim().split(/,\s+/)
  return [first, ...rest]
}
