import { DNS_1035_LABEL, obeys } from '@keelson/kubernetes/apimachinery';
import { UsageError } from '../errors.js';
import {
  camelCase,
  controllerFile,
  controllerTestFile,
  foreignControllerFile,
  foreignControllerTestFile,
  importLines,
} from '../scaffold/index.js';
import { type Addition, inOperator } from './additions.js';
import { foreignKind } from './foreign-kinds.js';
import { type FoundProject, SOURCES } from './found-project.js';
import { fileOfKind, kindsOf } from './project-kind.js';

/** The longest name that still leaves room for the object's own in the name of a child. */
const LONGEST_NAME = 40;

/**
 * A controller for a kind of the project, for one that is imported from a CRD, or for a built-in one.
 *
 * @throws UsageError for a name that cannot be, ScaffoldError for a kind that is not known
 */
export async function controllerAddition(
  name: string,
  kind: string | undefined,
  { project, directory }: { readonly project: FoundProject; readonly directory: string },
): Promise<Addition> {
  if (!obeys({ ...DNS_1035_LABEL, maxLength: LONGEST_NAME }, name))
    throw new UsageError(`keelson create controller ${name}: must be ${DNS_1035_LABEL.says}, and have at most ${LONGEST_NAME} characters`);
  if (kind === undefined)
    throw new UsageError(`keelson create controller ${name}: --for is not given; name a kind of the project or a built-in one`);
  const file = `${name}-controller`;
  const common = { name, variable: `${camelCase(name)}Controller`, file, runner: project.runner };
  const {
    text,
    test,
    remarks = [],
  } = kindsOf(project.sources).includes(kind)
    ? ownController(kind, project, common)
    : await foreignController(kind, { project, directory }, common);
  const addition = inOperator({
    files: [
      { path: `${SOURCES}/${file}.ts`, text },
      { path: `${SOURCES}/${file}.test.ts`, text: test },
    ],
    imports: importLines({ [`./${file}.js`]: [common.variable] }),
    entries: [{ list: 'controllers', names: [common.variable] }],
  });
  return { ...addition, remarks };
}

type Common = Pick<Parameters<typeof controllerFile>[0], 'name' | 'variable' | 'file' | 'runner'>;

interface Written {
  readonly text: string;
  readonly test: string;
  readonly remarks?: readonly string[];
}

function ownController(kind: string, project: FoundProject, common: Common): Written {
  const options = { ...common, kind, kindModule: fileOfKind(kind, project).name };
  return { text: controllerFile(options), test: controllerTestFile(options) };
}

async function foreignController(
  reference: string,
  { project, directory }: { readonly project: FoundProject; readonly directory: string },
  common: Common,
): Promise<Written> {
  const kind = await foreignKind(reference, project, directory);
  const isBuiltin = kind.module === 'keelson/kinds';
  // The first group of the project is a domain of its owner.
  const options = { ...common, kind, domain: project.groups[0] ?? 'example.com' };
  const remarks = [
    `Tests and keelson dev start the operator on an API server that has no CRD of ${kind.name}: give it to them,`,
    `TestCluster.start({ operator, manifests: ['crd.yaml'] }) and keelson dev --filename crd.yaml.`,
  ];
  return {
    text: foreignControllerFile(options),
    test: foreignControllerTestFile(options),
    ...(!isBuiltin && { remarks }),
  };
}
