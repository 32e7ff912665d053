/** One document of a YAML text. */
export interface YamlDocument {
  readonly text: string;
  /** Where it begins in the whole text, from 1. */
  readonly firstLine: number;
}

/** The documents of a text. Separators are those of kubectl: a line of three dashes. A text of comments alone is not a document. Lines may end as on Windows. */
export function yamlDocuments(text: string): readonly YamlDocument[] {
  const documents: { lines: string[]; firstLine: number }[] = [{ lines: [], firstLine: 1 }];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^---(?:\s|$)/.test(line)) documents.push({ lines: [line.slice(3)], firstLine: index + 1 });
    else documents.at(-1)?.lines.push(line);
  }
  return documents
    .filter(({ lines }) => lines.some((line) => !/^\s*(?:#|$)/.test(line)))
    .map(({ lines, firstLine }) => ({ text: lines.join('\n'), firstLine }));
}
