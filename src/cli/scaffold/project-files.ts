import { importLines } from './import-lines.js';
import { kindFile } from './kind-file.js';
import { kindTestFile } from './kind-test-file.js';
import type { ModuleFormat } from './module-format.js';
import { bundledEntryPoint, packageJson } from './package-json.js';
import type { Project, ProjectSettings } from './project.js';
import { newProjectReadme } from './readme.js';
import { WORKFLOWS } from './workflows.js';
import type { ProjectFile } from './write-files.js';

/** All files of a new project: always fourteen. */
export function projectFiles(project: Project): readonly ProjectFile[] {
  const { names } = project;
  const kind = { ...names, ...project };
  return [
    { path: `src/${names.file}.ts`, text: kindFile(kind) },
    { path: `src/${names.file}.test.ts`, text: kindTestFile(kind) },
    { path: 'src/operator.ts', text: operatorFile(project) },
    { path: 'src/main.ts', text: cdk8sApp(project) },
    ...surroundings(project),
    { path: 'README.md', text: newProjectReadme(project) },
  ];
}

/** The files around the sources: those that no kind changes. */
export function surroundings(project: ProjectSettings): readonly ProjectFile[] {
  return [
    { path: 'src/run.ts', text: entryPoint(project.format) },
    { path: 'cdk8s.yaml', text: CDK8S },
    { path: 'package.json', text: packageJson(project) },
    { path: 'tsconfig.json', text: tsconfig(project.format) },
    { path: 'Dockerfile', text: dockerfile(project.format) },
    ...WORKFLOWS,
    { path: '.gitignore', text: 'node_modules/\nbuild/\ndist/\n' },
  ];
}

function operatorFile({ name, names: { variable, file }, webhooks }: Project): string {
  const controller = `${variable}Controller`;
  const imported = webhooks ? [controller, `${variable}Defaults`, `${variable}Checks`] : [controller];
  return `${importLines({ keelson: ['defineOperator'], [`./${file}.js`]: imported })}
/** Everything that is installed together and runs as one process. */
export const operator = defineOperator({
  name: '${name}',
  controllers: [${controller}],
${webhooks ? `  webhooks: [${variable}Defaults, ${variable}Checks],\n` : ''}});
`;
}

/** The promise of `run` is never rejected; CommonJS knows no `await` outside of functions. */
function entryPoint(format: ModuleFormat): string {
  return `import { run } from '@keelson/runtime';
import { operator } from './operator.js';

// The entry point of the image: settings come from the environment, which the manifests write.
${format === 'esm' ? 'await' : 'void'} run(operator);
`;
}

function cdk8sApp({ name, names: { kind, file } }: Project): string {
  const imports = importLines({
    cdk8s: ['App', 'Chart'],
    'keelson/constructs': ['CustomResource', 'Operator'],
    './operator.js': ['operator'],
    [`./${file}.js`]: [kind],
  });
  return `${imports}
const app = new App();

const system = new Chart(app, '${name}', { namespace: '${name}-system' });
new Operator(system, 'operator', {
  operator,
  image: process.env['IMAGE'] ?? 'registry.example.com/${name}:0.1.0',
  createNamespace: true,
});

// A file of its own: the API server takes a ${kind} only when it serves the kind.
const samples = new Chart(app, 'samples', { namespace: 'default' });
new CustomResource(samples, '${file}', { definition: ${kind}, metadata: { name: 'sample' }, spec: { replicas: 2 } });

app.synth();
`;
}

const CDK8S = `language: typescript
app: npx tsx src/main.ts
# cdk8s empties this folder before it runs the app: nothing else may live there.
output: dist
`;

/** TypeScript refuses `import` in CommonJS under `verbatimModuleSyntax`; `isolatedModules` is what bundlers and test runners need of it. */
function tsconfig(format: ModuleFormat): string {
  return `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "rootDir": "src",
    "noEmit": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "${format === 'esm' ? 'verbatimModuleSyntax' : 'isolatedModules'}": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`;
}

function dockerfile(format: ModuleFormat): string {
  return `FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
RUN npm run build

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build /app/build build
# The manifests run it as this user, on a file system that cannot be written.
USER 65532:65532
# Not by npm: signals must reach the process.
ENTRYPOINT ["node", "${bundledEntryPoint(format)}"]
`;
}
