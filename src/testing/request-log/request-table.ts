import { type LoggedRequest, subjectText } from './logged-request.js';

/** More rows would hide the message. */
const MAX_ROWS = 30;

/** Requests as a table for messages, aligned, the last ones where there are many. */
export function requestTable(requests: readonly LoggedRequest[]): string {
  const shown = requests.slice(-MAX_ROWS);
  const rows = [['user', 'verb', 'resource', 'object', 'code'], ...shown.map(rowOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
  return requests.length > MAX_ROWS
    ? [...lines.slice(0, 1), `  … ${requests.length - MAX_ROWS} before`, ...lines.slice(1)].join('\n')
    : lines.join('\n');
}

function rowOf(request: LoggedRequest): string[] {
  const { user, verb, namespace, name, code } = request;
  const object = namespace === '' ? name : `${namespace}/${name || '*'}`;
  const outcome = code === undefined ? 'under way' : code === 0 ? 'broken' : String(code);
  return [user || 'nobody', verb, subjectText(request), object || '*', outcome];
}
