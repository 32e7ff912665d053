import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { beModuleReader, messageOf, type OperatorError } from '@keelson/kubernetes/apimachinery';

type Module = Readonly<Record<string, unknown>>;

/** The error of the command that needs the module. */
type Refusal = new (message: string, options?: ErrorOptions) => OperatorError;

/**
 * Loads a module of the project. An operator that it runs does not start: the process is here to read, and would work on the cluster of the kubeconfig. TypeScript is read by the project's own tsx, or by Node where it can.
 *
 * @param shown the path as messages name it
 * @throws Refusal
 */
export async function loadModule(path: string, shown: string, Refusal: Refusal): Promise<Module> {
  beModuleReader();
  const load = /\.[cm]?ts$/.test(path) ? typescriptLoader(path, shown, Refusal) : (url: string) => import(url) as Promise<Module>;
  try {
    return await load(pathToFileURL(path).href);
  } catch (error) {
    throw new Refusal(`${shown}: cannot be loaded: ${messageOf(error)}`, { cause: error });
  }
}

function typescriptLoader(path: string, shown: string, Refusal: Refusal): (url: string) => Promise<Module> {
  const api = tsxOf(path);
  if (api !== undefined) {
    return async (url) => {
      const { tsImport } = (await import(pathToFileURL(api).href)) as {
        readonly tsImport: (url: string, parent: string) => Promise<Module>;
      };
      return tsImport(url, url);
    };
  }
  if ('typescript' in process.features && process.features.typescript !== false) return (url) => import(url) as Promise<Module>;
  throw new Refusal(
    `${shown}: is TypeScript, which Node ${process.versions.node} does not run, and the project has no tsx; npm install --save-dev tsx, or name the compiled module`,
  );
}

/** The tsx that the project installs: `undefined` if it has none. `require` would find the copy for CommonJS, which loads no modules. */
function tsxOf(path: string): string | undefined {
  const { resolve } = createRequire(path);
  try {
    return resolve('tsx/esm/api').replace(/\.cjs$/, '.mjs');
  } catch {
    // Not installed: the caller has another way, or says so.
    return undefined;
  }
}
