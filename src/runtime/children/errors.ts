import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A desired child that cannot be one: not of a declared kind, without a name, in another namespace. */
export class ChildInvalidError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_CHILD_INVALID';
}

/** An object of the child's name is there and has another controller: applying would fight with that. */
export class ChildTakenError extends OperatorError {
  override readonly actor = 'user';
  override readonly code = 'KEELSON_CHILD_TAKEN';
}
