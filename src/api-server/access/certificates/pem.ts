const PEM_BLOCK = /-----BEGIN ([^\n-]+)-----\r?\n[\s\S]*?-----END \1-----/g;

/** The blocks of a PEM text in order, each with its marks. */
export function pemBlocks(text: string): readonly { readonly type: string; readonly text: string }[] {
  return [...text.matchAll(PEM_BLOCK)].map(([block, type = '']) => ({ type, text: block }));
}
