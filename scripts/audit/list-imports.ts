/** Lists the imports of one source file. */
import ts from 'typescript'

/**
 * Returns specifiers as written: static and dynamic imports, type imports, re-exports. The name of `file` decides the
 * language.
 */
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

/** Returns the frontmatter of an Astro file, and any other file whole. */
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
