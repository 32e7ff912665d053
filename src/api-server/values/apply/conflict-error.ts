import { compareUtf8, goQuote } from '@keelson/kubernetes/apimachinery';
import { ApplyRefused } from './errors.js';
import { identityOf } from './managed-fields.js';
import { pathText } from './path-element.js';
import type { Conflict } from './updater.js';

/** The answer to an apply that would take fields from others. */
export function conflictError(conflicts: readonly Conflict[]): ApplyRefused {
  const sorted = [...conflicts].sort((left, right) => compareUtf8(left.manager, right.manager));
  return new ApplyRefused({
    status: 409,
    reason: 'Conflict',
    message: conflictMessage(sorted),
    causes: sorted.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${managerText(manager)}`,
      field: pathText(path),
    })),
  });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(only.manager)}: ${pathText(only.path)}`;
  }
  const lines = conflicts.flatMap(({ manager, path }, index) => {
    const line = `- ${pathText(path)}`;
    return conflicts[index - 1]?.manager === manager ? [line] : [`conflicts with ${managerText(manager)}:`, line];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText(identifier: string): string {
  const { manager, operation, apiVersion, subresource } = identityOf(identifier);
  const name = `${goQuote(manager)}${subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
