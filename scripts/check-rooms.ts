/** `node scripts/check-rooms.ts [root]`: fails when an import goes against the arrows between rooms. */
import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import type { Room } from './support/rooms.ts'
import { ROOMS } from './support/rooms.ts'
import { ROOT } from './support/root.ts'

interface Import {
  readonly specifier: string
  readonly isType: boolean
}

const root = resolve(process.argv[2] ?? ROOT)
const files = globSync('{src,functions}/**/*.{ts,tsx,astro,mjs}', { cwd: root }).sort()
const wrong = files.flatMap((file) => checkFile(file))
for (const line of wrong) console.error(line)
if (wrong.length > 0)
  console.error(`${wrong.length} imports go against the arrows in scripts/support/rooms.ts.`)
process.exitCode = wrong.length > 0 ? 1 : 0

function checkFile(file: string): readonly string[] {
  const room = findRoom(file)
  if (room === undefined) return [`${file}: belongs to no room`]
  const code = readCode(join(root, file))
  return readImports(code).flatMap((one) => {
    const reason = findProblem(file, room, one)
    return reason === null ? [] : [`${file}: imports ${one.specifier}, ${reason}`]
  })
}

function findProblem(file: string, room: Room, { specifier, isType }: Import): string | null {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
    return room.node === true ? null : `but ${room.path} runs outside Node`
  }
  if (!specifier.startsWith('.')) return null
  const target = relative(root, resolve(root, dirname(file), specifier.replace(/\?.*$/, '')))
  const other = findRoom(target)
  if (other === undefined) return 'which belongs to no room'
  if (other.path === room.path || room.imports.includes(other.path)) return null
  if (room.types?.includes(other.path) === true)
    return isType ? null : `but may know only the types of ${other.path}`
  return `but ${room.path} may not import ${other.path}`
}

function findRoom(file: string): Room | undefined {
  return ROOMS.find(({ path }) => file === path || file.startsWith(`${path}/`))
}

// Of an Astro file, the code between its fences.
function readCode(file: string): string {
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.astro') ? (/^---\n(.*?)\n---/s.exec(text)?.[1] ?? '') : text
}

function readImports(code: string): readonly Import[] {
  const source = ts.createSourceFile('file.tsx', code, ts.ScriptTarget.Latest)
  const found: Import[] = []
  const visit = (node: ts.Node): void => {
    const one = toImport(node)
    if (one !== null) found.push(one)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function toImport(node: ts.Node): Import | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return {
      specifier: node.moduleSpecifier.text,
      isType: node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
    }
  }
  if (
    ts.isExportDeclaration(node) &&
    node.moduleSpecifier !== undefined &&
    ts.isStringLiteral(node.moduleSpecifier)
  ) {
    return { specifier: node.moduleSpecifier.text, isType: node.isTypeOnly }
  }
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    ts.isStringLiteral(node.argument.literal)
  ) {
    return { specifier: node.argument.literal.text, isType: true }
  }
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  const [argument] = isDynamic ? node.arguments : []
  return argument !== undefined && ts.isStringLiteral(argument)
    ? { specifier: argument.text, isType: false }
    : null
}
