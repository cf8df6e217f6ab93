/**
 * Documents as an attacker or a broken tool would write them: fixed ones, and random ones whose texts contain a mark,
 * so that a proof can find them in pages.
 */
import type { Random } from '../../measure/random.ts'

const text = (fields: string, owner: string): string => `{${fields},"owner":{"id":${JSON.stringify(owner)}}}`
const product = (fields: string) => (owner: string) => text(fields, owner)

/** Functions that return the data of a product as JSON, in most cases with the owner `owner`. */
export const HOSTILE_PRODUCTS: readonly ((owner: string) => string)[] = [
  product('"name":"<script>alert(1)</script>","photo":"javascript:alert(1)"'),
  product('"name":"\\" onerror=\\"alert(1)","photo":"https://photos.example/\\" onerror=\\"alert(1)"'),
  product('"name":"a\\u0000b\\u202Ec\\ud800d\\u0007","price":-5'),
  product(`"name":"${'ñ'.repeat(20_000)}","price":1e308`),
  product('"name":"Rosa","price":1e999,"available":"yes","_5ml":"x","_10ml":[1]'),
  product('"name":"Rosa","price":"300","_5ml":{"price":12.345,"available":1},"_10ml":null'),
  product('"name":["Rosa"],"price":null'),
  product('"name":"   "'),
  product('"name":"{constructor}","__proto__":{"available":true},"price":999999999'),
  product('"name":"first","name":"last","price":1,"price":2'),
  product('"name":"two owners","owner":{"id":"ana"}'),
  product('"name":"other host","photo":"//photos.example/x.jpg"'),
  product('"name":"password","photo":"https://a:b@photos.example/x.jpg"'),
  product('"name":"space","photo":"  HTTPS://photos.example/a b/ü.jpg?x=<>&y=1#z "'),
  () => '{"name":"no owner"}',
  () => '{"name":"owner is text","owner":"ana"}',
  () => '{"name":"owner is a number","owner":{"id":7}}',
  () => '{"name":"owner is a path","owner":{"id":"../../etc"}}',
  () => '{"name":"owner is broken","owner":{"id":"\\ud83d"}}',
  () => 'null',
  () => '[]',
  () => '"text"',
]

export const HOSTILE_PROFILES: readonly string[] = [
  '{"fName":5,"lName":["x"]}',
  '{"fName":"","lName":"   "}',
  '{"fName":"</title><script>alert(1)</script>","lName":"&amp;"}',
  '{"fName":"\\u202Eana","lName":"\\ud800"}',
  '{"fName":"Ana","whatsapp":"</script><script>alert(1)</script>"}',
  '{"fName":"Ana","whatsapp":"809-555-0100&text=x"}',
  '{"fName":"Ana","whatsapp":["8095550100"],"phone":"8095550100"}',
  '{"fName":"Ana","whatsapp":80955501e2,"lName":"Pérez"}',
  '{"fName":"Ana","whatsapp":1e999}',
  `{"fName":"Ana","whatsapp":"${'1'.repeat(20_000)}"}`,
  '[]',
]

/** Ids that are barely valid, and ids that must be rejected. */
export const HOSTILE_IDS: readonly string[] = [
  '404',
  'index',
  '..',
  '.',
  'a/b',
  'perfumería'.normalize('NFD'),
  'x'.repeat(300),
  'con',
  'node_modules',
  '<b>',
  '"quoted"',
  'a.html',
  '%',
]

/**
 * Kind of a text in a document. `shown`: a name. `photo`: the address of a photo. `id`: an id of a document. `unseen`:
 * a field that no page shows.
 */
export type MarkKind = 'shown' | 'photo' | 'id' | 'unseen'

/** Returns a document's mark for texts of this kind: a unique string of letters and digits. */
export type Mark = (kind: MarkKind) => string

/** Placeholder that the mark of the document replaces. */
const HERE = /§/g

const TEXTS = [
  '§',
  '<script>§</script>',
  '"><img src=§ onerror=§>',
  "' onfocus='§",
  '" §="§',
  '</title><§ §=§>',
  '</style><style>.§{display:none}</style>',
  '</script><script type=module>§</script>',
  '<!-- § --><![CDATA[ § ]]>',
  '<!--apart:0-->§',
  '<!--apart:99-->§<!--/apart-->',
  '<!--astro:end-->§<astro-island props="§">',
  '<template §><slot name="§">§',
  '{{constructor.constructor("§")()}} ${§} <%= § %>',
  '"}],"§":["§',
  '\\u003c§\\u003e\\',
  '\u0000\u0007\u001B[31m§\u009B2J',
  '\u202E§\u2066def\u200F',
  '§\uD800b\uDE00',
  '§\n§\r\u2028§\u2029',
  '😀 Ñandú “§” &amp; &#60; &lt;§&gt;',
  `§ ${'ñ'.repeat(20_000)}`,
  `${'§ '.repeat(200)}`,
  '   §   ',
  '../../../§',
  '__proto__ §',
  '##[error]§ ::set-output name=§::',
] as const

const ADDRESSES = [
  'https://photos.example/§.jpg',
  'https://firebasestorage.googleapis.com/v0/b/§.jpg?alt=media',
  'https://firebasestorage.googleapis.com/v0/§,a,',
  `https://firebasestorage.googleapis.com/?§${'&'.repeat(300)}`,
  'https://photos.example/§" onerror="§',
  'https://photos.example/§ 2x, /§ 1x',
  'https://photos.example/§\u0000\n.jpg',
  'https://photos.example/<§>.jpg',
  'https://§:secret@photos.example/a.jpg',
  '  HTTPS://photos.example/a b/ü§.jpg?x=<>&y=1#z ',
  `https://photos.example/§${'x'.repeat(5_000)}`,
  `https://photos.example/§${'香'.repeat(200)}`,
  '//photos.example/§.jpg',
  '/fotos/§.jpg',
  '/../../§',
  'javascript:alert("§")',
  'data:text/html,<script>§</script>',
  'file:///§',
] as const

/** Values of fields, as JSON. */
const VALUES = [
  'null',
  '"12"',
  '-1',
  '0',
  '1300',
  '99.5',
  '1e308',
  '1e999',
  '"NaN"',
  'true',
  '[]',
  '{}',
  '{"price":{}}',
  '{"price":700,"available":true}',
  '{"available":"yes","price":[1]}',
] as const

/** Ids of documents. Documents with some of these ids cannot have a page. */
const IDS = [
  '§',
  '<b>§',
  '"§"',
  "§' x=y",
  '§ ñ',
  '§é',
  '§e\u0301',
  '§%2F%2e%2e',
  '§&a=1;b',
  '§?a#b',
  '§+1',
  '__proto__§',
  '§🙂',
  'con.§',
  '§.html',
  '§/a',
  '§\u202E',
  `§${'x'.repeat(300)}`,
] as const

/** Returns the data of a random product as JSON, in which a key may occur twice. */
export function createHostileProduct(random: Random, owner: string, mark: Mark): string {
  if (random.chance(0.05)) return pickAny(HOSTILE_PRODUCTS, random)(owner)
  const fields = [
    ...(random.chance(0.1) ? [`"name":${createText(random, 'unseen', mark)}`] : []),
    `"name":${createText(random, 'shown', mark)}`,
    `"photo":${random.chance(0.8) ? quote(random.pick(ADDRESSES), 'photo', mark) : random.pick(VALUES)}`,
    ...['price', 'available', '_5ml', '_10ml'].map((key) => `"${key}":${random.pick(VALUES)}`),
    ...['constructor', '__proto__', 'description'].map(
      (key) => `"${key}":${createText(random, 'unseen', mark)}`,
    ),
    `"owner":{"id":${JSON.stringify(owner)},"name":${createText(random, 'unseen', mark)}}`,
  ]
  return `{${fields.join()}}`
}

export function createHostileProfile(random: Random, mark: Mark): string {
  if (random.chance(0.05)) return pickAny(HOSTILE_PROFILES, random)
  const whatsapp = random.pick(['"809-555-0100"', createText(random, 'unseen', mark), random.pick(VALUES)])
  return `{"fName":${createText(random, 'shown', mark)},"lName":${random.pick(['""', createText(random, 'shown', mark)])},"whatsapp":${whatsapp},"email":${createText(random, 'unseen', mark)}}`
}

export function createHostileId(random: Random, mark: Mark): string {
  return random.pick(IDS).replace(HERE, () => mark('id'))
}

function createText(random: Random, kind: MarkKind, mark: Mark): string {
  return quote(random.pick(TEXTS), kind, mark)
}

function quote(raw: string, kind: MarkKind, mark: Mark): string {
  return JSON.stringify(raw.replace(HERE, () => mark(kind)))
}

function pickAny<T>(items: readonly T[], random: Random): T {
  return items[random.below(items.length)] as T
}
