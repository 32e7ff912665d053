/** The results of commands, as `Status` objects. */
export const SUCCESS: object = { metadata: {}, status: 'Success' };

export function failure(more: { readonly reason: string; readonly message: string; readonly details?: object }): object {
  return { metadata: {}, status: 'Failure', ...more };
}
