import { OperatorError } from '../kubernetes/index.js';

/** The command line itself is wrong: exit status 2. */
export class UsageError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_CLI_USAGE';
}

/** `keelson import` cannot make kinds from what it was given. */
export class ImportError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_IMPORT_FAILED';
}

/** `keelson apiserver` cannot write to the given place. */
export class KubeconfigFileError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_KUBECONFIG_FILE';
}
