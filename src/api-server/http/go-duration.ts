const UNITS_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const TERM = /([0-9]*(?:\.[0-9]*)?)([^0-9.]*)/y;

export type Duration = { readonly ms: number } | { readonly problem: string };

/** `time.ParseDuration`, with its complaints. */
export function parseDuration(text: string): Duration {
  const invalid: Duration = { problem: `time: invalid duration ${JSON.stringify(text)}` };
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return { ms: 0 };
  if (unsigned === '') return invalid;
  let ms = 0;
  for (let at = 0; at < unsigned.length; ) {
    TERM.lastIndex = at;
    const [term = '', digits = '', unit = ''] = TERM.exec(unsigned) ?? [];
    if (digits === '' || digits === '.') return invalid;
    if (unit === '') return { problem: `time: missing unit in duration ${JSON.stringify(text)}` };
    const factor = UNITS_MS[unit];
    if (factor === undefined) return { problem: `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}` };
    ms += Number(digits) * factor;
    at += term.length;
  }
  return { ms: text.startsWith('-') ? -ms : ms };
}
