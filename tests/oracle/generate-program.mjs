// Random JavaScript programs from a seed: every construct that a function-scope scanner can trip over,
// in every place it can stand. The same seed gives the same program.
//
// Most programs are valid; where line breaks or comments land badly they are not, and the caller drops
// what its reference parser refuses. `goal` is `script` or `module`.

function random(seed) {  // mulberry32
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function generateProgram(seed, goal = 'script') {
  const next = random(seed * 2654435761 + (goal === 'module' ? 1 : 0));
  const below = (n) => Math.floor(next() * n);
  const one = (list) => list[below(list.length)];
  const chance = (p) => next() < p;
  let names = 0;
  let depth = 0;
  // What may be written here: set by functions, loops and `for` heads.
  let here = { generator: false, async: goal === 'module', loop: false, fn: false, noIn: false, method: false };

  const within = (change, write) => {
    const outer = here;
    here = { ...here, ...change };
    depth++;
    const text = write();
    depth--;
    here = outer;
    return text;
  };
  const gap = () => (chance(0.85) ? '' : one([' ', '\n', '/*c*/', ' //x\n', '/*\n*/', '\t', '\u00a0', '\r\n', '\u2028']));
  const space = () => (chance(0.9) ? ' ' : one(['\n', ' /*c*/ ', '  ', '\t']));
  const end = () => one([';', ';', ';', '\n', ';\n', ' ;', '\r\n', '\u2029']);
  const list = (most, write, separator = ',') =>
    Array.from({ length: below(most + 1) }, write).join(separator + gap());
  const trailingComma = (text) => (text !== '' && chance(0.15) ? text + ',' : text);
  const fresh = () => one(['a', 'b', 'x', 'fn', '$', '_', 'né', 'ℵ', 'va\\u0072x', 'of', 'get', 'set', 'async', 'from', 'as',
    ...(goal === 'script' ? ['let', 'yield', 'await', 'static'].filter((w) => w === 'static' ||
      (w === 'let' ? false : w === 'yield' ? !here.generator : !here.async)) : [])].slice(0, chance(0.7) ? 6 : 99)) +
    (chance(0.5) ? '' : names++);
  const binding = () => one(['v', 'w', 'q']) + names++;
  const name = () => (chance(0.15) ? fresh() : one(['a', 'b', 'c', 'obj', 'arr', 'undefined', 'of', 'async', 'get']));
  const keyName = () => one(['a', 'b', 'function', 'class', 'get', 'set', 'static', 'async', 'if', 'return', 'in', 'of',
    'constructor2', 'default', 'await', 'yield', 'new', 'typeof', 'case', 'null', 'let', 'import', 'else', 'prototype']);
  const literal = () => one(['0', '1', '.5', '1.', '1e3', '0x1F', '0b11', '0o17', '1_000', '10n', '0xfn', '1.5e-3', '"s"', "'t'",
    '"a\\"b"', "'\\\n'", '"//"', '"/*"', "'`'", '"}"', 'true', 'null', 'this', '/re/', '/[/]/g', '/\\//', '/[^/\\]]+/u', '/a{2}/',
    '/=x/', '/(?<n>`)/v', '"\u2028"', '"é🚀"']);

  const template = () => '`' + list(3, () => one(['text', '$', '{', '}', '\\`', '\\${', '//', "'", '\n', '/*']) +
    (chance(0.6) ? '${' + gap() + expression() + gap() + '}' : ''), '').replaceAll('\u2028', '') + '`';

  const pattern = () => {
    if (depth > 6 || chance(0.5)) return binding();
    return within({}, () => (chance(0.5)
      ? '[' + list(3, () => (chance(0.1) ? ',' : '') + pattern() + (chance(0.3) ? '=' + assign() : '')) + ']'
      : '{' + list(3, () => one([
        () => binding(), () => binding() + gap() + '=' + gap() + assign(), () => keyName() + ':' + pattern(),
        () => '[' + assign() + ']:' + pattern(), () => '"k":' + pattern() + '=' + assign()])()) + '}'));
  };
  const params = () => '(' + gap() + list(3, () => pattern() + (chance(0.3) ? gap() + '=' + gap() + assign() : '')) +
    gap() + ')';
  const body = (change) => within({ loop: false, fn: true, noIn: false, ...change }, () => '{' + gap() + statements(4) + gap() + '}');

  const functionOf = (named) => {
    const isAsync = chance(0.25);
    const isGenerator = chance(0.25);
    const change = { async: isAsync, generator: isGenerator, method: false };
    const label = named ? (chance(0.9) ? binding() : binding()) : (chance(0.4) ? binding() : '');
    return (isAsync ? 'async ' + (chance(0.1) ? '/**/' : '') : '') + 'function' + (isGenerator ? gap() + '*' + gap() : (label ? space() : gap())) +
      (isGenerator ? gap() : '') + label + gap() + within({ ...change, generator: false, async: false, noIn: false }, params) + gap() + body(change);
  };
  const arrow = () => {
    const isAsync = chance(0.3);
    const change = { async: isAsync, generator: false };
    const head = chance(0.4) ? binding() : within({ async: here.async && !isAsync, generator: false, noIn: false }, params);
    const start = isAsync ? 'async' + (head[0] === '(' ? (chance(0.5) ? '' : ' ') : ' ') + head : head;
    const arrowText = start + one(['', ' ']) + '=>' + gap();
    if (chance(0.4)) return arrowText + body(change);
    return arrowText + within({ ...change, fn: true, loop: false }, () => {
      const value = assign();
      return /^[\s{]|^\/[/*]/.test(value) ? '(' + value + ')' : value;
    });
  };
  const key = (allowPrivate) => one([keyName, keyName, () => '"k' + names++ + '"', () => String(below(99)), () => '1n', () => '.5',
    () => '[' + within({ noIn: false }, assign) + ']', () => (allowPrivate ? '#p' + names++ : keyName())])();
  const method = (inClass) => {
    const change = { method: true };
    const flavour = below(6);
    const isStatic = inClass && chance(0.3);
    const start = isStatic ? 'static' + space() : '';
    const write = (modifier, keyText, paramText, more) =>
      start + modifier + keyText + gap() + paramText + gap() + body({ async: false, generator: false, ...change, ...more });
    const ps = () => within({ async: false, generator: false, noIn: false }, params);
    if (flavour === 0) return write('get' + space(), key(inClass), '()', {});
    if (flavour === 1) return write('set' + space(), key(inClass), '(' + binding() + ')', {});
    if (flavour === 2) return write('async ', key(inClass), ps(), { async: true });
    if (flavour === 3) return write('*' + gap(), key(inClass), ps(), { generator: true });
    if (flavour === 4) return write('async' + ' *' + gap(), key(inClass), ps(), { async: true, generator: true });
    return write('', key(inClass), ps(), {});
  };
  const object = () => '{' + gap() + trailingComma(list(4, () => one([
    () => key(false) + gap() + ':' + gap() + assign(), () => key(false) + ':' + assign(), () => method(false), () => method(false),
    () => '...' + assign(), () => one(['a', 'b', 'get', 'set', 'async', 'of']), () => keyName() + ':' + functionOf(false),
    () => keyName() + ':' + arrow()])())) + gap() + '}';
  const field = () => {
    const start = (chance(0.3) ? 'static' + space() : '') + key(true).replace(/^constructor$/, 'c');
    if (chance(0.3)) return start + one([';', '\n']);
    return start + gap() + '=' + gap() + within({ async: false, generator: false, fn: false, method: true, noIn: false }, assign) + one([';', ';', '\n']);
  };
  const classOf = (named) => 'class' + (named || chance(0.4) ? ' ' + binding() : '') +
    (chance(0.3) ? ' extends ' + within({ noIn: false }, () => one([name, () => '(' + expression() + ')', () => 'class{}', () => '{}.x',
      () => name() + '(' + object() + ')', () => name() + '[' + assign() + ']', () => 'function(){}'])()) : '') + gap() + '{' + gap() +
    within({ method: true, noIn: false }, () => list(5, () => one([() => method(true), () => method(true), field, field,
      () => 'static' + gap() + body({ async: false, generator: false, fn: false }), () => ';',
      () => one(['get', 'set', 'static', 'async']) + one([';', '\n', '=1;', '(){}']),
      () => (chance(0.3) ? 'constructor' + params() + body({ async: false, generator: false }) : '')])() + gap(), '')) + '}';

  const member = (base) => base + one([() => '.' + gap() + keyName(), () => '?.' + keyName(), () => '[' + expression() + ']', () => '(' + args() + ')',
    () => '?.(' + args() + ')', () => '?.[' + expression() + ']', () => template()].slice(0, chance(0.9) ? 6 : 7))();
  const args = () => within({ noIn: false }, () => gap() + list(3, () => (chance(0.1) ? '...' : '') + assign()) + gap());
  const group = () => '(' + gap() + within({ noIn: false }, expression) + gap() + ')';
  const primary = () => one([name, name, name, literal, literal, () => group(),
    () => '[' + within({ noIn: false }, () => list(4, () => (chance(0.1) ? '' : (chance(0.1) ? '...' : '') + assign()))) + ']',
    () => within({ noIn: false }, object), () => functionOf(false), () => within({}, () => classOf(false)), () => within({ noIn: false }, template),
    () => '(' + functionOf(false) + ')(' + args() + ')', () => '(' + arrow() + ')(' + args() + ')', () => 'new ' + name() + '(' + args() + ')',
    () => 'new.target'.slice(0, here.fn && here.method ? 99 : 0) || 'a', () => 'import(' + assign() + ')', () => functionOf(false) + '(' + args() + ')'])();
  const unary = () => {
    if (depth > 9) return name();
    return within({}, () => {
      const pick = below(20);
      if (pick < 6) return primary();
      if (pick < 10) return member(chance(0.5) ? name() : primary());
      if (pick === 10) return one(['!', '~', '-', '+', 'typeof ', 'void ', '- ', '!!']) + unary();
      if (pick === 11) return one(['++', '--']) + name();
      if (pick === 12) return name() + one(['++', '--', ' ++']);
      if (pick === 13 && here.async) return 'await ' + unary();
      if (pick === 14) return member(member(name()));
      return primary();
    });
  };
  const binary = () => {
    let text = unary();
    while (chance(0.3)) {
      const operators = ['+', '-', '*', '/', '%', '<', '>', '<=', '==', '===', '!=', '!==', '&&', '||', '&', '|', '^', '<<', '>>', '>>>',
        ' instanceof ', ...(here.noIn ? [] : [' in '])];
      text += gap() + one(operators) + ' ' + unary();
    }
    return text;
  };
  const assign = () => {
    if (depth > 8) return name();
    return within({}, () => {
      const pick = below(24);
      if (pick < 8) return binary();
      if (pick < 11) return arrow();
      if (pick < 13) {
        const outer = here.noIn;
        return binary() + gap() + '?' + ' ' + within({ noIn: false }, assign) + gap() + ':' + gap() + within({ noIn: outer }, assign);
      }
      if (pick === 13) return one([name, () => member(name()).replace(/\?\./g, '.') + '.z', () => 'this.' + keyName()])() + gap() +
        one(['=', '=', '=', '+=', '||=', '&&=', '??=', '>>>=', '**=']) + gap() + assign();
      if (pick === 14) return functionOf(false);
      if (pick === 15 && here.generator) return one(['yield', 'yield ' + assign(), 'yield*' + assign()]);
      if (pick === 16) return '(' + '{' + binding() + '=' + assign() + '}' + '={})';
      if (pick === 17) return '[' + name() + ',' + name() + ']=' + assign();
      if (pick === 18) return unary() + '??' + unary();
      return binary();
    });
  };
  const expression = () => (chance(0.9) ? assign() : assign() + gap() + ',' + gap() + assign());

  const substatement = () => (chance(0.5) ? '{' + statements(3) + '}' : depth > 7 ? ';' : one([
    () => expressionStatement(), () => ';', () => 'if(' + expression() + ')' + substatement(),
    () => (here.fn ? 'return' + one([';', '\n', ' ' + expression() + ';']) : ';')])());
  const expressionStatement = () => {
    const text = expression();
    const bad = /^(?:\{|function|class|let\b|async\s*(?:\/\*\*\/)?\s*function)/.test(text.trimStart()) || /^\s/.test(text);
    return (bad ? '(' + text + ')' : text) + end();
  };
  const declaration = () => one(['var', 'let', 'const']) + space() + Array.from({ length: 1 + below(2) }, () =>
    (chance(0.7) ? binding() : pattern()) + gap() + '=' + gap() + assign()).join(',' + gap()) + end();
  const forHead = () => one([
    () => one(['var', 'let']) + ' ' + binding() + '=' + within({ noIn: true }, assign) + ';' + expression() + ';' + assign(),
    () => ';;', () => one(['var', 'let', 'const']) + ' ' + pattern() + ' of ' + assign(), () => one(['var', 'let', 'const']) + ' ' + binding() + ' in ' + expression(),
    () => name() + ' in ' + expression(), () => 'x of ' + assign(), () => within({ noIn: true }, assign) + ';;'])();
  const statement = () => {
    if (depth > 6) return expressionStatement();
    return within({}, () => one([
      declaration, declaration, expressionStatement, expressionStatement, expressionStatement, () => functionOf(true), () => functionOf(true),
      () => within({}, () => classOf(true)), () => 'if(' + expression() + ')' + substatement() + (chance(0.4) ? gap() + 'else ' + substatement() : ''),
      () => 'for(' + forHead() + ')' + within({ loop: true }, substatement),
      () => (here.async ? 'for await(const ' + binding() + ' of ' + assign() + ')' + within({ loop: true }, substatement) : ';'),
      () => 'while(' + expression() + ')' + within({ loop: true }, substatement),
      () => 'do ' + within({ loop: true }, substatement) + ' while(' + expression() + ')' + one([';', '\n', ' ', '']),
      () => 'switch(' + expression() + '){' + list(3, () => 'case ' + expression() + ':' + statements(2), '') +
        (chance(0.4) ? 'default:' + statements(2) : '') + '}',
      () => 'try{' + statements(2) + '}' + one([() => 'catch' + (chance(0.5) ? '(' + pattern() + ')' : '') + '{' + statements(2) + '}',
        () => 'finally{' + statements(2) + '}'])(),
      () => 'L' + names++ + ':' + one([() => '{' + statements(2) + '}', () => 'for(;;)' + within({ loop: true }, substatement)])(),
      () => '{' + statements(3) + '}', () => 'throw ' + expression() + end(), () => (here.fn ? 'return' + one([' ' + expression(), '', '\n']) + end() : ';'),
      () => (here.loop ? one(['break', 'continue']) + one([';', '\n']) : ';'), () => 'debugger' + end(),
      () => ';', () => '/re/.test(' + args() + ')' + end(), () => '`t`' + end(),
      () => (goal === 'script' && !chance(0.5) ? one(['<!-- html\n', '\n--> html\n']) : ''),
    ])());
  };
  const statements = (most) => within({}, () => list(most, statement, ''));

  const modulePart = () => one([
    () => 'import ' + binding() + ' from "m"' + end(), () => 'import{a as ' + binding() + ',default as ' + binding() + '}from"m"' + end(),
    () => 'import*as ' + binding() + ' from "m"' + end(), () => 'import "m"' + end(), () => 'import d' + names++ + ',{b as ' + binding() + '} from "m"' + end(),
    () => 'import j' + names++ + ' from "m" with {type:"json"}' + end(), () => 'export const ' + binding() + '=' + assign() + end(),
    () => 'export ' + functionOf(true), () => 'export ' + classOf(true), () => 'export*from"m"' + end(), () => 'export * as ns' + names++ + ' from "m"' + end(),
    () => 'export{}' + end(), () => 'import.meta.url' + end(), () => 'await ' + unary() + end(),
  ])();
  let text = chance(0.05) ? '#!/usr/bin/env node\n' : '';
  if (goal === 'module') text += list(3, modulePart, '');
  text += Array.from({ length: 3 + below(8) }, statement).join(gap());
  if (goal === 'module') {
    text += gap() + list(3, modulePart, '');
    if (chance(0.4)) text += 'export default ' + one([() => functionOf(false), () => classOf(false), () => '(' + expression() + ')', arrow])() + end();
  }
  return text;
}
