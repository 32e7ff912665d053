import { LocalApi } from '@keelson/api-server/internal/server';
import { operatorInstallation } from '@keelson/testing/internal/operator-installation';
import type { OperatorModel } from 'keelson/internal/definition';
import type { FoundManifest } from '../manifests/index.js';
import { isCopy } from '../rehearsal/index.js';
import { namedObject } from './changes.js';
import type { UnfitObject } from './plan-report.js';

/** The copied objects of the operator's own kinds that its schemas do not allow, or whose fields they would drop. */
export async function unfitObjects(operator: OperatorModel, manifests: readonly FoundManifest[]): Promise<readonly UnfitObject[]> {
  const api = new LocalApi();
  try {
    for (const object of operatorInstallation(operator).definitions) await api.define({ object }, 'Strict');
    const unfit: UnfitObject[] = [];
    for (const { object, place } of manifests) {
      if (!isCopy(object) || api.resourceOf(object)?.isCustom !== true) continue;
      const judged = await api.judge({ object });
      if (!judged.ok) unfit.push({ object: namedObject(object), place, message: judged.status.message ?? '' });
    }
    return unfit;
  } finally {
    await api.close();
  }
}
