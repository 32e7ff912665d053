import { importKinds } from '../../src/cli/index.js';
import type { ApiDocuments } from './api-documents.js';
import { apiModel } from './api-model.js';
import { builtinSchemas, builtinTypesModule, schemaModule } from './builtin-schemas.js';
import { discoveryTable } from './discovery-table.js';
import { flatIndex, flatNames } from './flat-index.js';
import { kindModules } from './kind-modules.js';
import { storedVersions } from './stored-versions.js';
import { versionModule } from './version-module.js';

/** Every file under imports/ that the built-in API gives, by its path there. */
export function generateKinds(documents: ApiDocuments): ReadonlyMap<string, string> {
  const model = apiModel(documents);
  const modules = kindModules(model);
  const names = flatNames(model, modules);
  const schemas = builtinSchemas(model, names);
  return new Map([
    ...modules.map(({ module, text }) => [`kinds/${module}.ts`, text] as const),
    ['kinds/index.ts', flatIndex(names)],
    ['schemas/builtin-types.ts', builtinTypesModule(schemas, names)],
    ['schemas/builtin.ts', schemaModule(schemas)],
    ['discovery.json', discoveryTable(documents)],
    ['stored-versions.json', storedVersions(documents)],
    ['version.ts', versionModule(documents)],
  ]);
}

/** The output of `keelson import` for `scripts/crds`: foreign kinds that keelson itself writes. */
export function generateThirdPartyKinds(sources: readonly { readonly name: string; readonly text: string }[]): ReadonlyMap<string, string> {
  const { modules } = importKinds(sources, { library: '../../../src/kubernetes/kinds/index.js' });
  return new Map(modules.map(({ path, text }) => [`third-party/${path}`, text]));
}
