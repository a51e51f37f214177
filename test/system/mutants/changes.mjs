/** The small changes of a source file that a test should notice: a condition that is turned round, a call that is left out. */
import ts from 'typescript';

const { SyntaxKind: Kind } = ts;

/** Operators, and what each becomes. */
const operators = new Map([
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
  [Kind.AsteriskToken, '/'],
  [Kind.SlashToken, '*'],
]);

/** Methods whose call is left out: the value stays as it is. */
const leftOut = new Set([
  ...['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'concat'],
  ...['trim', 'toLowerCase', 'toUpperCase', 'normalize', 'replace', 'replaceAll'],
]);

const otherMethods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
]);

/** A message that only a programmer reads: `new Error('…')`, `new TypeError(…)`. */
const isProgrammersMessage = (node) =>
  ts.isNewExpression(node.parent) && /^(?:Type|Range|Syntax)?Error$/.test(node.parent.expression.getText());

const isName = ({ parent }, node) =>
  ts.isImportDeclaration(parent) ||
  ts.isExportDeclaration(parent) ||
  ts.isLiteralTypeNode(parent) ||
  (ts.isPropertyAssignment(parent) && parent.name === node) ||
  (ts.isCallExpression(parent) && parent.expression.kind === Kind.ImportKeyword);

const isType = (node) => ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

/** Conditions: of `if`, `while` and `?:`. */
const conditionOf = (node) => {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) ? node.condition : undefined;
};

/** Each with the kind of the change, the node that is replaced, and by what. */
const changesOfNode = function* (node) {
  const condition = conditionOf(node);
  if (condition !== undefined) {
    yield ['condition', condition, `!(${condition.getText()})`];
    yield ['condition', condition, 'false'];
  }
  if (ts.isBinaryExpression(node)) yield* changesOfBinary(node);
  if (ts.isCallExpression(node)) yield* changesOfCall(node);
  if (ts.isExpressionStatement(node) && isEffect(node.expression)) yield ['statement', node, ';'];
  if (node.kind === Kind.TrueKeyword) yield ['literal', node, 'false'];
  if (node.kind === Kind.FalseKeyword) yield ['literal', node, 'true'];
  if (ts.isNumericLiteral(node)) yield ['literal', node, `(${node.text} + 1)`];
  if (ts.isStringLiteral(node) && node.text !== '' && !isName(node, node) && !isProgrammersMessage(node)) {
    yield ['literal', node, "''"];
  }
  if (ts.isSpreadAssignment(node)) yield ['spread', node, '...{}'];
  if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.parent)) yield ['spread', node, '...[]'];
  if (ts.isRegularExpressionLiteral(node)) yield* changesOfPattern(node);
};

const isEffect = (expression) => {
  const inner =
    ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(inner) || (ts.isBinaryExpression(inner) && inner.operatorToken.kind === Kind.EqualsToken);
};

const changesOfBinary = function* ({ left, operatorToken, right }) {
  const other = operators.get(operatorToken.kind);
  const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  if (other !== undefined && !(isText && operatorToken.kind === Kind.PlusToken)) {
    yield ['operator', operatorToken, other];
  }
  if (operatorToken.kind === Kind.QuestionQuestionToken) yield ['default', left.parent, left.getText()];
  if (operatorToken.kind === Kind.QuestionQuestionToken) yield ['default', left.parent, `(${right.getText()})`];
};

const changesOfCall = function* (node) {
  const { expression, arguments: given } = node;
  if (ts.isPropertyAccessExpression(expression) && expression.questionDotToken === undefined) {
    const { text } = expression.name;
    if (leftOut.has(text)) yield ['call', node, expression.expression.getText()];
    if (otherMethods.has(text)) yield ['method', expression.name, otherMethods.get(text)];
  }
  if (given.length > 1) {
    const others = given.slice(0, -1).map((each) => each.getText());
    yield ['argument', node, `${expression.getText()}(${others.join(', ')})`];
  }
};

const changesOfPattern = function* (node) {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.text);
  if (source.startsWith('^') && source.length > 1) yield ['pattern', node, `/${source.slice(1)}/${flags}`];
  if (source.endsWith('$') && !source.endsWith('\\$')) yield ['pattern', node, `/${source.slice(0, -1)}/${flags}`];
  if (flags.includes('i')) yield ['pattern', node, `/${source}/${flags.replace('i', '')}`];
};

/** All changes of a file, in order: `start` and `end` are places in its text. */
export const changesOf = (text, file) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const changes = [];
  const visit = (node) => {
    if (isType(node)) return;
    for (const [kind, { end }, replacement, start] of placed(changesOfNode(node))) {
      const { line } = source.getLineAndCharacterOfPosition(start);
      changes.push({ file, line: line + 1, kind, start, end, original: text.slice(start, end), replacement });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
};

const placed = (changes) => [...changes].map(([kind, node, text]) => [kind, node, text, node.getStart()]);

/** The text of the file with the change. */
export const changed = (text, { start, end, replacement }) => `${text.slice(0, start)}${replacement}${text.slice(end)}`;
