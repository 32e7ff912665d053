import type { IResolver, ResolutionContext } from 'cdk8s';

/**
 * Writes text so that Helm prints it instead of executing it: `{{` becomes a template that prints `{{`. Applying it twice changes nothing.
 * Backticks, because the text may end up between single or double quotes of YAML.
 *
 * @example
 * ```ts
 * escapeHelmTemplate('{{ .Values.name }}'); // Helm prints it unchanged
 * ```
 */
export function escapeHelmTemplate(text: string): string {
  return text.replace(/\{\{`\{\{`\}\}|\{\{/g, '{{`{{`}}');
}

/**
 * For `cdk8s synth --format helm`, which puts everything below `templates/` and escapes nothing: a `{{` in a CRD's description or in CEL would be
 * executed by Helm. Give it to the app: `new App({ resolvers: [helmEscapeResolver()] })`.
 *
 * An app that writes Helm expressions on purpose must not use it.
 *
 * @example
 * ```ts
 * const app = new App({ resolvers: [helmEscapeResolver()] });
 * ```
 */
export function helmEscapeResolver(): IResolver {
  return {
    resolve(context: ResolutionContext): void {
      if (typeof context.value !== 'string') return;
      const escaped = escapeHelmTemplate(context.value);
      // Replacing a value starts the resolvers again: an unchanged value must not be replaced, or they would never end.
      if (escaped !== context.value) context.replaceValue(escaped);
    },
  };
}
