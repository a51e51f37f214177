/**
 * Prints what the doors of a part say to one who sees nothing else of it: each name with its sentence and its declaration, as TypeScript
 * reads it. `node scripts/show-door.mjs storage`, or `storage-export` for one of several.
 */
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { doors } from './through-doors.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const [asked] = process.argv.slice(2);
const doorFiles = [...doors.keys()];
const nameOf = (file) => basename(file, '.ts');
const files = doorFiles.filter((file) => nameOf(file) === asked || nameOf(file).startsWith(`${asked}-`));
if (files.length === 0) {
  console.error('Name a part that has a door, or one of its doors: storage, storage-export.');
  process.exit(2);
}

const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(doorFiles, { ...options, noEmit: true });
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: false });

const typeFlags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.WriteArrowStyleSignature |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** The declaration of a type as it is written; of a value its name and type. */
const declarationOf = (symbol) => {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target.declarations?.[0];
  if (declaration === undefined) return `${symbol.name}: unknown`;
  if (ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))
    return printer
      .printNode(ts.EmitHint.Unspecified, declaration, declaration.getSourceFile())
      .replace(/^(?:\/\*\*[\s\S]*?\*\/\s*)+/, '')
      .replace(/^export /, '');
  if (ts.isClassDeclaration(declaration)) return classText(declaration);
  const type = checker.getTypeOfSymbolAtLocation(target, declaration);
  return `const ${symbol.name}: ${checker.typeToString(type, declaration, typeFlags).replaceAll(root, '')};`;
};

/** A class without the bodies of its methods. */
const classText = (declaration) => {
  const members = declaration.members
    .filter(
      (member) =>
        !ts.canHaveModifiers(member) ||
        !ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword),
    )
    .filter((member) => member.name === undefined || !ts.isPrivateIdentifier(member.name))
    .map((member) => {
      const text = member.getText();
      const body = ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member) ? member.body : undefined;
      return `  ${body === undefined ? text : text.slice(0, body.getStart() - member.getStart()).trimEnd() + ';'}`;
    });
  const [ancestor] = declaration.heritageClauses ?? [];
  return `class ${declaration.name?.text ?? ''}${ancestor === undefined ? '' : ` ${ancestor.getText()}`} {\n${members.join('\n')}\n}`;
};

/** The types of the source that a declaration names, in their order. */
const namedTypes = (symbol) => {
  const found = [];
  const visit = (node) => {
    // What a function does is not part of its declaration.
    if (ts.isBlock(node)) return;
    if (ts.isTypeReferenceNode(node) || ts.isTypeQueryNode(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.exprName;
      const named = resolved(checker.getSymbolAtLocation(name));
      if (named !== undefined) found.push(named);
    }
    ts.forEachChild(node, visit);
  };
  for (const declaration of resolved(symbol)?.declarations ?? []) {
    const parts = ts.isVariableDeclaration(declaration) ? signatureOf(declaration) : [declaration];
    parts.forEach(visit);
  }
  return found;
};

/** The nodes of the type of a value: as it is written, or that of its function. */
const signatureOf = ({ type, initializer }) => {
  if (type !== undefined) return [type];
  if (initializer !== undefined && ts.isFunctionLike(initializer))
    return [...initializer.parameters, ...(initializer.type === undefined ? [] : [initializer.type])];
  return [];
};

const resolved = (symbol) =>
  symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

const isOfSource = (symbol) => {
  const name = symbol.declarations?.[0]?.getSourceFile().fileName ?? '';
  const kind = symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface | ts.SymbolFlags.Class);
  return kind !== 0 && name.startsWith(root) && !name.includes('/node_modules/');
};

/** The types that the doors of all parts give, by what they are, with the door. */
const doorOfType = new Map();
for (const file of doorFiles)
  for (const { exportClause } of program.getSourceFile(file).statements)
    for (const { name } of exportClause.elements)
      doorOfType.set(resolved(checker.getSymbolAtLocation(name)), nameOf(file));

/** A general tool is imported from its own file. */
const withPlace = (symbol) => {
  const file = relative(root, symbol.declarations[0].getSourceFile().fileName);
  return `${file.startsWith('src/basics/') ? `// ${file}\n` : ''}${declarationOf(symbol)}`;
};

/** The types that the declarations mention: those of other doors by name, others as they are written. */
const showMentioned = (given) => {
  const ofDoors = new Map();
  const others = [];
  const seen = new Set(given);
  const wait = [...given];
  for (let symbol = wait.shift(); symbol !== undefined; symbol = wait.shift()) {
    for (const named of namedTypes(symbol).filter(isOfSource)) {
      if (seen.has(named)) continue;
      seen.add(named);
      const file = named.declarations[0].getSourceFile().fileName;
      const door = file.includes('/generated/') ? relative(root, file) : doorOfType.get(named);
      if (door !== undefined) ofDoors.set(door, [...(ofDoors.get(door) ?? []), named.name]);
      else {
        others.push(named);
        wait.push(named);
      }
    }
  }
  if (others.length > 0)
    console.log(
      `Mentioned above, and not to be imported: TypeScript infers these types. (Those of src/basics have a file.)\n\n${others.map(withPlace).join('\n\n')}\n`,
    );
  for (const [door, names] of ofDoors) console.log(`Of ${door}: ${names.join(', ')}\n`);
};

for (const file of files) {
  const source = program.getSourceFile(file);
  console.log(`${relative(root, file)}\n${'='.repeat(relative(root, file).length)}\n`);
  const given = new Set();
  for (const statement of source.statements) {
    const comments = ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? [];
    for (const { pos, end } of comments) console.log(source.text.slice(pos, end));
    for (const { name } of statement.exportClause.elements) {
      const symbol = checker.getSymbolAtLocation(name);
      given.add(resolved(symbol));
      console.log(`${declarationOf(symbol)}\n`);
    }
  }
  showMentioned(given);
}
