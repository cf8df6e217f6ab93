/** The imports of one source file, of any kind. */
import ts from 'typescript'

/** Specifiers as written: static, dynamic, of types, re-exports. `file` tells the language by its name. */
export function listImports(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile('file.tsx', readCode(file, text), ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const specifier = findSpecifier(node)
    if (specifier !== undefined && ts.isStringLiteral(specifier)) found.push(specifier.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Of an Astro file, the code between its fences. */
function readCode(file: string, text: string): string {
  return file.endsWith('.astro') ? (/^---\n(.*?)\n---/s.exec(text)?.[1] ?? '') : text
}

function findSpecifier(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  return isDynamic ? node.arguments[0] : undefined
}
