import { DefinitionError } from 'keelson';

/** Problems of a definition, each as `path: message`; none if it is accepted. */
export function problemsOf(make: () => unknown): readonly string[] {
  return (refusalOf(make)?.problems ?? []).map(({ path, message }) => `${path}: ${message}`);
}

/** The whole message of a definition that is refused; `accepted` if it is not. */
export function messageOf(make: () => unknown): string {
  return refusalOf(make)?.message ?? 'accepted';
}

/** @throws every error that is not a refusal */
function refusalOf(make: () => unknown): DefinitionError | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
}
