/** Documents as an attacker or a broken tool would write them. */
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
