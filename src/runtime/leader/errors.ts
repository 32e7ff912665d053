import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** The times of a leader election do not fit each other. */
export class LeaderSettingsError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_LEADER_SETTINGS';
}
