import { OperatorError } from '@keelson/kubernetes/apimachinery';
import type { IConstruct } from 'constructs';

/** A construct was given something that cannot become a manifest. The message begins with the construct's path. */
export class ConstructError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_CONSTRUCT';
  /** Path of the construct in the tree, as cdk8s prints it. */
  readonly path: string;

  constructor(scope: IConstruct, problem: string, options?: ErrorOptions) {
    super(`${scope.node.path}: ${problem}`, options);
    this.path = scope.node.path;
  }
}
