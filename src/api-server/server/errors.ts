import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** An API server cannot be started so. */
export class ApiServerError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_SERVER';
}

/** Node's error for a port that cannot be had, with what to do. Other errors stay as they are. */
export function listenError(error: unknown, port: number): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new ApiServerError(`port ${port} is taken by another process; choose another, or none: then any is taken that is free`, {
      cause: error,
    });
  if (code === 'EACCES')
    return new ApiServerError(`port ${port} may not be listened at by this user; choose one above 1023, or none`, { cause: error });
  return error;
}
