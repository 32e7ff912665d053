/**
 * Replaces `$(NAME)` by the value of the variable. `$$` is one `$`, so that `$$(NAME)` stays text; a name that is not known stays as it is written.
 *
 * Source: kubernetes `third_party/forked/golang/expansion`.
 */
export function expanded(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (found, name?: string) => {
    if (name === undefined) return '$';
    return Object.hasOwn(variables, name) ? (variables[name] as string) : found;
  });
}
