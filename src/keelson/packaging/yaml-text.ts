import { stringify } from 'yaml';

/** YAML as the clients of Kubernetes read it: version 1.1, long lines as they are, no anchors. */
export function yamlText(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
