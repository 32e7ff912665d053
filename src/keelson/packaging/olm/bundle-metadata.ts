import type { PackageFile } from '../package-file.js';
import { yamlText } from '../yaml-text.js';

const PREFIX = 'operators.operatorframework.io';
const SCORECARD_IMAGE = 'quay.io/operator-framework/scorecard-test:v1.42.0';
const SCORECARD_FOLDER = 'tests/scorecard/';

interface Metadata {
  readonly packageName: string;
  readonly channels: readonly string[];
  readonly scorecardImage: string | undefined;
}

/** The files of a bundle beside its manifests: annotations, the image's Dockerfile, tests for `operator-sdk scorecard`. */
export function bundleMetadata({ packageName, channels, scorecardImage = SCORECARD_IMAGE }: Metadata): readonly PackageFile[] {
  const annotations = {
    [`${PREFIX}.bundle.mediatype.v1`]: 'registry+v1',
    [`${PREFIX}.bundle.manifests.v1`]: 'manifests/',
    [`${PREFIX}.bundle.metadata.v1`]: 'metadata/',
    [`${PREFIX}.bundle.package.v1`]: packageName,
    [`${PREFIX}.bundle.channels.v1`]: channels.join(','),
    [`${PREFIX}.bundle.channel.default.v1`]: channels[0] ?? '',
    [`${PREFIX}.test.mediatype.v1`]: 'scorecard+v1',
    [`${PREFIX}.test.config.v1`]: SCORECARD_FOLDER,
  };
  return [
    { path: 'bundle.Dockerfile', text: dockerfile(annotations) },
    { path: 'metadata/annotations.yaml', text: yamlText({ annotations }) },
    { path: `${SCORECARD_FOLDER}config.yaml`, text: yamlText(scorecard(scorecardImage)) },
  ];
}

function dockerfile(labels: Readonly<Record<string, string>>): string {
  const lines = Object.entries(labels).map(([key, value]) => `LABEL ${key}=${value}`);
  return [
    'FROM scratch',
    '',
    ...lines,
    '',
    'COPY manifests /manifests/',
    'COPY metadata /metadata/',
    'COPY tests/scorecard /tests/scorecard/',
    '',
  ].join('\n');
}

function scorecard(image: string): object {
  const test = (entrypoint: string, suite: string): object => ({
    entrypoint: ['scorecard-test', entrypoint],
    image,
    labels: { suite, test: `${entrypoint}-test` },
  });
  const olm = [
    'olm-bundle-validation',
    'olm-crds-have-validation',
    'olm-crds-have-resources',
    'olm-spec-descriptors',
    'olm-status-descriptors',
  ];
  return {
    apiVersion: 'scorecard.operatorframework.io/v1alpha3',
    kind: 'Configuration',
    metadata: { name: 'config' },
    stages: [{ parallel: true, tests: [test('basic-check-spec', 'basic'), ...olm.map((name) => test(name, 'olm'))] }],
  };
}
