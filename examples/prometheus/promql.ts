import { parser } from '@prometheus-io/lezer-promql';

/** @returns why Prometheus would not take the expression, or `undefined`; types of operands are not looked at */
export function problemOfPromql(expr: string): string | undefined {
  if (expr.trim() === '') return 'no expression found';
  let at: number | undefined;
  parser.parse(expr).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at ??= from;
    },
  });
  return at === undefined ? undefined : `cannot be parsed from character ${at + 1} on: ${expr.slice(at, at + 40) || 'it ends too early'}`;
}
