// TypeScript as a syntax tree (the parser comes with Vite). The parser's module is loaded when first used.

/** Calls `visit` with every node of the file. Throws on a syntax error. */
export async function walk(path, text, visit) {
  const { parseSync } = await import('vite');
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const descend = (node) => {
    if (Array.isArray(node)) return node.forEach(descend);
    if (!node || typeof node.type !== 'string') return;
    visit(node);
    for (const value of Object.values(node)) if (value && typeof value === 'object') descend(value);
  };
  descend(program);
}

/** Every import and re-export of the file: `{ from, typeOnly, start }`. */
export async function importsOf(path, text) {
  const imports = [];
  const add = (source, typeOnly, start) =>
    source?.value !== undefined && imports.push({ from: source.value, typeOnly, start });
  const allTypes = (specifiers, kind) =>
    specifiers.length > 0 && specifiers.every((one) => one[kind] === 'type');
  await walk(path, text, (node) => {
    if (node.type === 'ImportDeclaration')
      add(
        node.source,
        node.importKind === 'type' || allTypes(node.specifiers, 'importKind'),
        node.start,
      );
    else if (node.type === 'ExportNamedDeclaration' && node.source)
      add(
        node.source,
        node.exportKind === 'type' || allTypes(node.specifiers, 'exportKind'),
        node.start,
      );
    else if (node.type === 'ExportAllDeclaration')
      add(node.source, node.exportKind === 'type', node.start);
    else if (node.type === 'ImportExpression') add(node.source, false, node.start);
    else if (node.type === 'TSImportType')
      add(node.source ?? node.argument?.literal, true, node.start);
  });
  return imports;
}
