// Read paths from stdin, one a line, and print what the TypeScript compiler sees in each file:
// {path, definitions: [name, kind, line, endLine], calls: [scope, name, line],
//  imports: [module, name, alias, line]}, or {path, refused} if it does not compile.
"use strict";

const fs = require("fs");
const ts = require(process.argv[2]);
const folder = process.argv[3];

for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const text = fs.readFileSync(`${folder}/${path}`, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const rows = { path, definitions: [], calls: [], imports: [] };
  if (source.parseDiagnostics.length) rows.refused = true;
  else visit(source, "", rows, source);
  console.log(JSON.stringify(rows));
}

function visit(node, scope, rows, source) {
  const definition = definitionOf(node);
  if (definition) {
    const [name, kind, at] = definition;
    rows.definitions.push([name, kind, line(at, source), endLine(node, source)]);
  }
  const call = calledName(node);
  if (call) rows.calls.push([scope, call.text, line(call, source)]);
  for (const [module, name, alias, at] of importsOf(node))
    rows.imports.push([module, name, alias, line(at, source)]);
  const inner = definition ? definition[0] : scope;
  // A decorator runs before there is what it decorates.
  ts.forEachChild(node, (child) =>
    visit(child, ts.isDecorator(child) ? scope : inner, rows, source));
}

function line(node, source) {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

function endLine(node, source) {
  return source.getLineAndCharacterOfPosition(node.end - 1).line + 1;
}

function definitionOf(node) {
  const kind = declaredKind(node);
  if (kind) return node.name ? [nameOf(node.name), kind, node.name] : ["default", kind, node];
  if (ts.isConstructorDeclaration(node)) return ["constructor", "method", lastModifier(node)];
  const valued = valueKind(valueOf(node));
  if (!valued) return undefined;
  if (ts.isExportAssignment(node)) return [node.expression.name?.text ?? "default", valued, node];
  if (ts.isVariableDeclaration(node))
    return ts.isIdentifier(node.name) ? [node.name.text, valued, node.name] : undefined;
  if (ts.isPropertyDeclaration(node))
    return [nameOf(node.name), valued === "class" ? "class" : "method", node.name];
  if (ts.isPropertyAssignment(node))
    return ts.isIdentifier(node.name) ? [node.name.text, valued, node.name] : undefined;
  if (ts.isBinaryExpression(node)) return assigned(node, valued);
  return undefined;
}

function lastModifier(node) {
  const modifiers = (node.modifiers ?? []).filter((each) => !ts.isDecorator(each));
  return modifiers.length ? modifiers[0] : node;
}

function declaredKind(node) {
  if (ts.isFunctionDeclaration(node)) return "function";
  if (ts.isClassDeclaration(node)) return "class";
  if (ts.isInterfaceDeclaration(node)) return "interface";
  if (ts.isTypeAliasDeclaration(node)) return "type";
  if (ts.isEnumDeclaration(node)) return "enum";
  if (ts.isModuleDeclaration(node) && node.name.text !== "global") return "module";
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return "method";
  if (ts.isGetAccessor(node) || ts.isSetAccessor(node)) return "method";
  return undefined;
}

function valueOf(node) {
  if (ts.isExportAssignment(node)) return node.expression;
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.EqualsToken ? node.right : undefined;
  return node.initializer;
}

function valueKind(value) {
  if (!value) return undefined;
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return "function";
  return ts.isClassExpression(value) ? "class" : undefined;
}

function assigned(node, kind) {
  if (ts.isIdentifier(node.left)) return [node.left.text, kind, node.left];
  if (!ts.isPropertyAccessExpression(node.left)) return undefined;
  // What a module is as a whole goes by its own name, if it has one.
  if (node.left.getText() === "module.exports" && node.right.name)
    return [node.right.name.text, kind, node.left.name];
  return [node.left.name.text, kind, node.left.name];
}

function nameOf(name) {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) || ts.isPrivateIdentifier(name) ||
    ts.isNumericLiteral(name) ? name.text : name.getText();
}

function calledName(node) {
  let callee = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  if (!callee || !isCall(node)) return undefined;
  while (ts.isNonNullExpression(callee) || ts.isExpressionWithTypeArguments(callee))
    callee = callee.expression;
  if (ts.isIdentifier(callee)) return callee;
  return ts.isPropertyAccessExpression(callee) ? callee.name : undefined;
}

function isCall(node) {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ||
    ts.isTaggedTemplateExpression(node);
}

function importsOf(node) {
  if (ts.isImportDeclaration(node)) return imported(node);
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return exported(node);
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
    return [[node.moduleReference.expression.text, "", node.name.text, node]];
  if (ts.isVariableDeclaration(node)) return required(node);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [module] = node.arguments;
    return module && ts.isStringLiteral(module) ? [[module.text, "", "", node]] : [];
  }
  return [];
}

function imported(node) {
  const module = node.moduleSpecifier.text;
  const clause = node.importClause;
  if (!clause) return [[module, "", "", node]];
  const rows = clause.name ? [[module, "default", clause.name.text, node]] : [];
  const bindings = clause.namedBindings;
  if (!bindings) return rows;
  if (ts.isNamespaceImport(bindings)) return [...rows, [module, "", bindings.name.text, node]];
  return [...rows, ...specified(bindings.elements, module, node)];
}

function exported(node) {
  const module = node.moduleSpecifier.text;
  if (!node.exportClause) return [[module, "*", "", node]];
  if (ts.isNamespaceExport(node.exportClause))
    return [[module, "", node.exportClause.name.text, node]];
  return specified(node.exportClause.elements, module, node);
}

function specified(elements, module, node) {
  return elements.map((each) =>
    [module, (each.propertyName ?? each.name).text, each.name.text, node]);
}

function required(node) {
  let value = node.initializer;
  let member = "";
  if (value && ts.isPropertyAccessExpression(value)) {
    member = value.name.text;
    value = value.expression;
  }
  if (!value || !ts.isCallExpression(value) || value.expression.getText() !== "require") return [];
  const [module] = value.arguments;
  if (value.arguments.length !== 1 || !ts.isStringLiteral(module)) return [];
  if (ts.isIdentifier(node.name)) return [[module.text, member, node.name.text, node]];
  if (!ts.isObjectBindingPattern(node.name) || member) return [];
  return node.name.elements
    .filter((each) => ts.isIdentifier(each.name) && !each.dotDotDotToken)
    .map((each) => [module.text, (each.propertyName ?? each.name).text, each.name.text, node]);
}
