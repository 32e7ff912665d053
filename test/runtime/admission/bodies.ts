/** JSON texts that are small on the wire and large in memory, each as a repetition of one piece. */
export const FORMS: Readonly<Record<string, (index: number) => string>> = {
  'empty objects': () => '{}',
  'empty lists': () => '[]',
  'lists of one': () => '[1]',
  'nested lists': () => `${'['.repeat(60)}${']'.repeat(60)}`,
  'nested objects': () => `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  'objects of one field': () => '{"a":1}',
  'objects of a number as a name': () => '{"1023":1}',
  'objects of an escaped number as a name': () => '{"\\u0031\\u003023":1}',
  'objects of two numbers as names': () => '{"1023":1,"2570":1}',
  'objects of a digit as a name': () => '{"9":1}',
  'objects of their own names': (index) => `{"${index.toString(36)}x":1}`,
  'objects of their own pair of names': (index) => `{"${(index % 250).toString(36)}a":1,"${Math.floor(index / 250).toString(36)}q":1}`,
  'objects of any of sixteen names': (index) => object([...'abcdefghijklmnop'].filter((_, bit) => ((index * 40_503) >> bit) & 1)),
  'objects of three of many names': (index) => object([0, 1, 2].map((at) => ((index * (at + 7)) % 300).toString(36) + at)),
  'objects of twenty own names': (index) => object(Array.from({ length: 20 }, (_, at) => `${at}k${index.toString(36)}`)),
  'an own __proto__': () => '{"__proto__":{}}',
  whole: () => '1',
  fractions: () => '1.5',
  'fractions in objects': () => '{"a":1.5}',
  'short texts': (index) => `"${index.toString(36)}"`,
  'texts beyond Latin-1': (index) => `"ā${index}${'b'.repeat(60)}"`,
  'long texts': () => `"${'b'.repeat(60_000)}"`,
  escapes: () => `"${'\\u0101'.repeat(50)}"`,
  'managed fields': (index) => `{"k:{\\"name\\":\\"c${index}\\"}":{".":{},"f:image":{},"f:ports":{".":{}}}}`,
  containers: (index) =>
    `{"name":"container-${index}","image":"registry.example.com/team/image:v${index}","ports":[{"containerPort":8080,"name":"http"}],"resources":{"limits":{"cpu":"100m"}}}`,
};

function object(names: readonly string[]): string {
  return `{${[...new Set(names)].map((name) => `"${name}":1`).join(',')}}`;
}

/** A list of pieces, about so many bytes long. */
export function listOf(piece: (index: number) => string, bytes: number): string {
  const pieces: string[] = [];
  for (let length = 2; ; ) {
    const text = piece(pieces.length);
    length += Buffer.byteLength(text) + 1;
    if (length > bytes && pieces.length > 0) return `[${pieces.join(',')}]`;
    pieces.push(text);
  }
}
