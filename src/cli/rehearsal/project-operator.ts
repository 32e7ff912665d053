import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OperatorModel } from 'keelson/internal/definition';
import { RehearsalError, UsageError } from '../errors.js';
import { loadModule } from '../load-module.js';
import { operatorIn } from '../operator-in-module.js';

/** The place of `keelson init`. */
const OPERATOR = 'src/operator.ts';

/**
 * Loads the operator of a project.
 *
 * @param given path of its module; `undefined`: where `keelson init` writes it
 * @throws UsageError for a file that is absent; RehearsalError for a module that cannot be loaded, or that does not export one operator
 */
export async function projectOperator(command: string, given: string | undefined, directory: string): Promise<OperatorModel> {
  const shown = given ?? OPERATOR;
  const path = resolve(directory, shown);
  if (!existsSync(path))
    throw new UsageError(
      given === undefined
        ? `keelson ${command}: there is no ${OPERATOR} here; name the module that exports the operator with --operator`
        : `keelson ${command}: --operator ${given}: there is no such file`,
    );
  return operatorIn(await loadModule(path, shown, RehearsalError), shown, RehearsalError);
}
