const PEM = /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\s]*?)\r?\n?-----END CERTIFICATE REQUEST-----/m;

const SEQUENCE = 0x30;
const SET = 0x31;
const OBJECT_IDENTIFIER = 0x06;
/** `O` of a distinguished name: 2.5.4.10. */
const ORGANIZATION = '55040a';

/** A value of DER: what it is, and its bytes. */
interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** The groups that a certificate signing request (PEM, in Base64) asks for: the organizations of its subject. */
export function organizationsOf(request: string): { readonly organizations: readonly string[] } | { readonly problem: string } {
  const [, body] = PEM.exec(Buffer.from(request, 'base64').toString('latin1')) ?? [];
  if (body === undefined) return { problem: 'PEM block type must be CERTIFICATE REQUEST' };
  const [whole] = elementsOf(Buffer.from(body, 'base64')) ?? [];
  const [info] = childrenOf(whole, SEQUENCE) ?? [];
  const [, subject] = childrenOf(info, SEQUENCE) ?? [];
  const names = childrenOf(subject, SEQUENCE);
  if (names === undefined) return { problem: 'asn1: structure error: malformed certificate request' };
  const attributes = names.flatMap((set) => childrenOf(set, SET) ?? []).map((pair) => childrenOf(pair, SEQUENCE) ?? []);
  return {
    organizations: attributes.flatMap(([name, value]) =>
      name?.tag === OBJECT_IDENTIFIER && name.content.toString('hex') === ORGANIZATION && value !== undefined
        ? [value.content.toString('utf8')]
        : [],
    ),
  };
}

function childrenOf(element: Element | undefined, tag: number): readonly Element[] | undefined {
  return element?.tag === tag ? elementsOf(element.content) : undefined;
}

/** Undefined: these bytes are no DER. */
function elementsOf(bytes: Buffer): readonly Element[] | undefined {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    // The long form tells first how many bytes tell the length.
    const width = first < 0x80 ? 0 : first - 0x80;
    const start = at + 2 + width;
    if (start > bytes.length || first === 0x80 || width > 4) return undefined;
    const length = width === 0 ? first : bytes.readUIntBE(at + 2, width);
    if (start + length > bytes.length) return undefined;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}
