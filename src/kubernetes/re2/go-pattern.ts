import { RE2JS } from 're2js';

/**
 * Regular expressions as Go reads them (RE2): the API server's `pattern`, and `matches` in CEL.
 *
 * The only place that loads re2js. Its import costs about 8 ms; there is no way to load a package lazily and synchronously from both an ES module and a CommonJS one.
 */
export interface GoPattern {
  /** Whether `text` holds a match anywhere, as Go's `MatchString`. */
  test(text: string): boolean;
  /** The matches from left to right, none overlapping; as many as are taken. */
  matches(text: string): Iterable<string>;
}

/** The same few patterns (quantities, conditions, names) come with every definition, and are judged several times; compiling one costs 0.2 ms. */
const compiledPatterns = new Map<string, GoPattern>();
/** Patterns from data, as `matches` in CEL may take them, must not pile up in a process that lives long. */
const MAX_COMPILED_PATTERNS = 500;

/** Compiles `pattern`. Throws an error whose message says what RE2 cannot read. */
export function compileGoPattern(pattern: string): GoPattern {
  const known = compiledPatterns.get(pattern);
  if (known !== undefined) return known;
  if (compiledPatterns.size >= MAX_COMPILED_PATTERNS) compiledPatterns.clear();
  const compiled = compile(pattern);
  compiledPatterns.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): GoPattern {
  const compiled = RE2JS.compile(pattern);
  return {
    test: (text) => compiled.matcher(text).find(),
    *matches(text) {
      const matcher = compiled.matcher(text);
      while (matcher.find()) yield matcher.group() ?? '';
    },
  };
}
