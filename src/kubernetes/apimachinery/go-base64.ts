/** The two alphabets of RFC 4648: the last two digits are `+/`, or `-_`. */
export type Base64Alphabet = 'standard' | 'url';

const LAST_DIGITS: Readonly<Record<Base64Alphabet, string>> = { standard: '+/', url: '-_' };

/**
 * The offset of the byte at which Go's `encoding/base64` gives up; line ends are not data, padding is needed, and nothing may follow it.
 *
 * @returns undefined where the text can be decoded
 */
export function goBase64Problem(text: string, alphabet: Base64Alphabet): number | undefined {
  const bytes = new TextEncoder().encode(text);
  const last = LAST_DIGITS[alphabet];
  const isDigit = (byte: number): boolean =>
    (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || last.includes(String.fromCharCode(byte));
  let position = 0;
  const next = (): number | undefined => {
    while (bytes[position] === 10 || bytes[position] === 13) position += 1;
    return bytes[position];
  };
  while (next() !== undefined) {
    for (let place = 0; place < 4; place += 1) {
      const byte = next();
      // An end in the middle of a group is reported at the start of the last group's missing part.
      if (byte === undefined) return position - place;
      position += 1;
      if (byte === 61) return paddingProblem({ place, next, position: () => position, step: () => (position += 1) });
      if (!isDigit(byte)) return position - 1;
    }
  }
  return undefined;
}

interface PaddingPlace {
  readonly place: number;
  readonly next: () => number | undefined;
  readonly position: () => number;
  readonly step: () => void;
}

function paddingProblem({ place, next, position, step }: PaddingPlace): number | undefined {
  if (place < 2) return position() - 1;
  if (place === 2) {
    const second = next();
    if (second === undefined) return position();
    if (second !== 61) return position() - 1;
    step();
  }
  return next() === undefined ? undefined : position();
}
