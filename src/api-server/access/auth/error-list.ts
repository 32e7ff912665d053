/** Text of several errors, as apimachinery's `Aggregate` prints them: each once, in brackets if there are several. */
export function errorListText(errors: readonly string[]): string {
  const texts = [...new Set(errors)];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
