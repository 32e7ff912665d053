const MAX_TOTAL_LENGTH = 4096;
const MAX_LENGTH_WHEN_CUT = 256;
const CONTROL = /\p{Cc}/u;
/** go-yaml reports several problems in one text. */
const YAML_PROBLEMS = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/**
 * The `Warning` headers of one answer: each text once, in order; when they become too many, all are cut.
 *
 * Source: apiserver `pkg/endpoints/filters/warning.go`. Lengths are in characters (code points).
 */
export class Warnings {
  readonly #texts = new Set<string>();
  #headers: string[] = [];
  #length = 0;
  #isCutting = false;

  /** Values of the header, ready for Node: their bytes are UTF-8. */
  get headers(): readonly string[] {
    return this.#headers;
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }

  add(text: string): void {
    if (YAML_PROBLEMS.test(text)) for (const line of text.replace(YAML_PROBLEMS, '').split('\n')) this.#add(line.trim());
    else this.#add(text);
  }

  #add(text: string): void {
    if (text === '' || this.#texts.has(text) || (this.#isCutting && this.#length >= MAX_TOTAL_LENGTH)) return;
    this.#texts.add(text);
    const length = [...text].length;
    if (this.#isCutting || this.#length + length <= MAX_TOTAL_LENGTH) this.#write(text);
    else this.#cutAll();
  }

  #cutAll(): void {
    this.#isCutting = true;
    this.#headers = [];
    this.#length = 0;
    for (const text of this.#texts) this.#write(text);
  }

  #write(text: string): void {
    if (CONTROL.test(text)) return;
    const characters = [...text];
    const written = this.#isCutting ? characters.slice(0, MAX_LENGTH_WHEN_CUT) : characters;
    this.#length += written.length;
    this.#headers.push(Buffer.from(`299 - "${written.join('').replaceAll(/[\\"]/g, '\\$&')}"`, 'utf8').toString('latin1'));
  }
}
