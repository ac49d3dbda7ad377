// Read paths from stdin, one a line, and print what the TypeScript compiler binds calls to:
// {path, calls: [name, line, targets]}, where targets are [path, line, name] of declarations in
// these files, none if they are in the language's own library, and null if nobody knows.
"use strict";

const fs = require("fs");
const ts = require(process.argv[2]);
const folder = process.argv[3];
const paths = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
const own = new Map(paths.map((path) => [`${folder}/${path}`, path]));
const program = ts.createProgram([...own.keys()], {
  allowImportingTsExtensions: true,
  allowJs: true,
  checkJs: true,
  jsx: ts.JsxEmit.Preserve,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
});
const checker = program.getTypeChecker();

for (const [file, path] of own) {
  const source = program.getSourceFile(file);
  const calls = [];
  if (source) visit(source, source, calls);
  console.log(JSON.stringify({ path, calls }));
}

function visit(node, source, calls) {
  if (isCall(node)) {
    const called = calledName(node);
    const targets = called ? targetsOf(node, called) : null;
    calls.push([called ? called.text : "", line(called ?? node, source), targets]);
  } else if (isUse(node)) {
    const named = lastName(node.tagName ?? node.expression);
    const targets = named && targetsOf(undefined, named);
    if (targets && targets.length) calls.push([named.text, line(named, source), targets]);
  }
  ts.forEachChild(node, (child) => visit(child, source, calls));
}

function isCall(node) {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ||
    ts.isTaggedTemplateExpression(node);
}

// Elements and decorators call something without saying so.
function isUse(node) {
  return ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node) || ts.isDecorator(node);
}

function calledName(node) {
  let callee = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  while (ts.isNonNullExpression(callee) || ts.isExpressionWithTypeArguments(callee) ||
    ts.isParenthesizedExpression(callee)) callee = callee.expression;
  return lastName(callee);
}

function lastName(node) {
  if (ts.isIdentifier(node)) return node;
  return ts.isPropertyAccessExpression(node) ? node.name : undefined;
}

function targetsOf(call, named) {
  const signature = call && resolved(call);
  let symbol = checker.getSymbolAtLocation(named);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declared = [signature?.declaration, ...(symbol?.declarations ?? [])].filter(Boolean);
  // A declaration in the same package, but not among these files, may be a copy of one of them.
  if (!declared.length || declared.some(isElsewhere)) return null;
  return declared.map(place).filter(Boolean);
}

function resolved(call) {
  try {
    return checker.getResolvedSignature(call);
  } catch {
    return undefined; // the compiler itself fails on some calls without their packages
  }
}

function isElsewhere(declaration) {
  const source = declaration.getSourceFile();
  return !own.has(source.fileName) && !program.isSourceFileDefaultLibrary(source);
}

function place(declaration) {
  const source = declaration.getSourceFile();
  const path = own.get(source.fileName);
  const named = nameOf(declaration);
  if (!path) return undefined;
  return [path, line(named ?? declaration, source), named ? named.getText() : wordFor(declaration)];
}

function wordFor(declaration) {
  if (ts.isConstructorDeclaration(declaration)) return "constructor";
  return ts.isFunctionDeclaration(declaration) || ts.isClassLike(declaration) ? "default" : "";
}

function nameOf(declaration) {
  let around = declaration.parent;
  while (around && (ts.isParenthesizedExpression(around) || ts.isAsExpression(around)))
    around = around.parent;
  const isHeld = around && (ts.isVariableDeclaration(around) || ts.isPropertyAssignment(around) ||
    ts.isPropertyDeclaration(around)) && around.initializer !== undefined;
  if (isHeld && ts.isFunctionLike(declaration)) return around.name;
  if (around && ts.isBinaryExpression(around)) return lastName(around.left);
  return declaration.name;
}

function line(node, source) {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
