import { isNotFound } from 'keelson/testing';
import type { KindInfo } from '../../../../src/kubernetes/index.js';
import type { Stage } from '../scenario.js';

/** What is there cannot be asked for before it is made. */
export function exists(stage: Stage, kind: KindInfo, name: string): Promise<void> {
  const key = { namespace: stage.namespace, name };
  return stage.until(`${kind.kind} ${name}`, () =>
    stage.client.get(kind, key as never).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    ),
  );
}
