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

/** Compiles `pattern`. Throws an error whose message says what RE2 cannot read. */
export function compileGoPattern(pattern: string): GoPattern {
  const compiled = RE2JS.compile(pattern);
  return {
    test: (text) => compiled.matcher(text).find(),
    *matches(text) {
      const matcher = compiled.matcher(text);
      while (matcher.find()) yield matcher.group() ?? '';
    },
  };
}
