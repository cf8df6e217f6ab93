/**
 * Translates queries into the words of product names, for the search in one catalogue and the search in all of them.
 * All texts are folded by `foldText`.
 */

/** Synonyms, one group per line: each word of a line also means the line's first word. */
const MEANINGS = new Map(
  [
    'hombre hombres homme men mens man him caballero caballeros masculino uomo',
    'mujer mujeres femme women womens woman her ella dama damas femenino donna',
    'decant decants muestra muestras',
    'perfume perfumes fragancia fragancias',
    '5 cinco five',
    'black negro negra',
    'blue azul azules',
    'red rojo roja',
    'tobacco tabaco',
    'khamrah camrah kamra khamra',
    'sauvage salvaje savaje sovage',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ')
    return others.map((word) => [word, first])
  }),
)

/** Filler words, which are dropped from a query if other words remain. */
const FILLERS =
  'a al algo and barata baratas barato baratos busco colonia colonias comprar con cuanto cuesta ' +
  'dame de del donde economico economicos el en for fragancia fragancias hay hola interesa la las ' +
  'los me mi necesito no numero number of original originales para perfume perfumes pesos por pour ' +
  'precio que quiero quisiera su the tiene tienen tienes un una vale venden vendes ver y'
const EMPTY = new Set(FILLERS.split(' '))

/** Names with filler words, which `dropEmpty` keeps: without these words, a query would find other names. */
const NAMES = new Set(['the one', 'la belle', 'la nuit', 'ysl y', 'laurent y'])

/** Millilitres in a fluid ounce. Converted amounts are rounded to a multiple of 5, as on bottles. */
const OUNCE = 29.57

const REWRITES: readonly (readonly [RegExp, string])[] = [
  // Matches `nº 5`, `No. 5`, `número 5`.
  [/(^|[^a-z\d])n(?:o|um|umero|umber)?[.°º]* ?(?=\d)/g, '$1'],
  [/(\d) ?(?:mls|mililitros?|cc)(?![a-z\d])/g, '$1ml'],
  [/(^|[^a-z\d])d ?(?:&|y|and) ?g(?![a-z\d])/g, '$1dg'],
  [/(?:agua|eau) de perfume/g, 'edp'],
  [/agua de tocador/g, 'edt'],
  [/agua de colonia/g, 'edc'],
  [/para el(?= y |$)/g, 'hombre'],
]

// The first pattern matches `3.4 oz`, `1.7 fl oz` and `1 onza`. The second matches an amount without a unit, such as
// `3.4`.
const OUNCES = [
  /(^|[^\d.,])(\d{1,2}(?:[.,]\d{1,2})?) ?(?:fl\.? ?)?(?:oz|onzas?)(?![a-z\d])/g,
  /(^| )([1-7][.,]\d)(?= |$)/g,
]

/**
 * Returns a name or a query with its amounts in ml, its numbers without `nº`, and some terms replaced, such as `agua de
 * perfume` by `edp`.
 */
export function rewriteText(folded: string): string {
  let text = folded
  for (const pattern of OUNCES) text = text.replace(pattern, formatOunces)
  for (const [pattern, form] of REWRITES) text = text.replace(pattern, form)
  return text
}

/**
 * Like `rewriteText`, but also joins an amount to its unit: `100ml` finds names with `100ml` and names with `100 ml`,
 * and the `10` of `10 ml` finds no `100 ml`.
 */
export function rewriteQuery(folded: string): string {
  return rewriteText(folded).replace(/(\d) +(ml|oz|cl|l|gr?|kg)(?![a-z\d])/g, '$1$2')
}

/** Returns the word that a synonym means, such as `hombre` for `homme`; `undefined` for a word that is no synonym. */
export function findMeaning(word: string): string | undefined {
  return MEANINGS.get(word)
}

/**
 * Drops filler words, except in `NAMES`, and except `y` as the first or last word. If no word remains, keeps the words
 * that mean `perfume`; if none does, keeps all words.
 */
export function dropEmpty(words: readonly string[]): readonly string[] {
  const kept = words.filter(
    (word, index) =>
      !EMPTY.has(word) ||
      NAMES.has(`${word} ${words[index + 1]}`) ||
      NAMES.has(`${words[index - 1]} ${word}`) ||
      (word === 'y' && (index === 0 || index === words.length - 1)),
  )
  if (kept.length > 0) return kept
  const general = words.filter((word) => word === 'perfume' || findMeaning(word) === 'perfume')
  return general.length > 0 ? general : words
}

function formatOunces(_: string, before: string, ounces: string): string {
  return `${before}${Math.round((Number(ounces.replace(',', '.')) * OUNCE) / 5) * 5}ml`
}
