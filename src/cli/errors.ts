import { OperatorError } from '@keelson/kubernetes/apimachinery';

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

/** `keelson init` or `keelson create` cannot write its files. */
export class ScaffoldError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_SCAFFOLD_FAILED';
}

/** `keelson package` finds no package, or cannot write it. */
export class PackageCommandError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_PACKAGE_FAILED';
}

/** `keelson dev` cannot run the operator that it was given. */
export class DevError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_DEV_FAILED';
}

/** `keelson why` cannot read the journal. */
export class WhyError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_WHY_FAILED';
}

/** `keelson validate` cannot judge, or found what is not valid. */
export class ValidateError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_VALIDATE_FAILED';
}

/** `keelson render` or `keelson plan` cannot run the operator, or not all of it. */
export class RehearsalError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_REHEARSAL_FAILED';
}

/** `keelson diff` cannot read a release, or found what is not allowed. */
export class DiffError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_DIFF_FAILED';
}

/** `keelson docs` cannot write its pages, or they are out of date. */
export class DocsError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_DOCS_FAILED';
}

/** The user ended a command before it was done: exit status 130. */
export class InterruptedError extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_INTERRUPTED';
}
