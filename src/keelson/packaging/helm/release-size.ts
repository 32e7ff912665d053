import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import type { PackageFile } from '../package-file.js';

/** A Secret holds at most this many bytes of data. Source: `MaxSecretSize` of `k8s.io/api/core/v1`. */
const SECRET_LIMIT_BYTES = 1_048_576;
/** Helm's compressor and ours differ by a few bytes of a thousand, and the values of an installation are stored too. */
const NEARLY = 0.98;

/**
 * The warning for a chart whose release does not fit into the Secret that Helm keeps it in; `undefined` for one that fits.
 *
 * Source: Helm 3 and 4, `pkg/storage/driver/util.go`: the release as JSON, with the chart's files in base64 and the manifest that they render to, compressed and again in base64.
 */
export function releaseWarning(name: string, files: readonly PackageFile[]): string | undefined {
  const bytes = releaseBytes(files);
  if (bytes <= SECRET_LIMIT_BYTES * NEARLY) return undefined;
  const limit = `${(SECRET_LIMIT_BYTES / 1024).toFixed(0)} KiB`;
  const size = `a release of the chart ${name} takes ${Math.ceil(bytes / 1024)} KiB, and Helm keeps it in a Secret, which holds ${limit}: helm install would fail`;
  const definitions = files.filter(isDefinition).length;
  if (definitions === 0) return `${size}; split the package`;
  const apart =
    definitions === files.filter(isTemplate).length
      ? 'leave the chart out, and apply its CustomResourceDefinitions with kubectl apply --server-side'
      : "write the CustomResourceDefinitions into a chart of their own with crds: 'chart'";
  return `${size}; leave the descriptions out of the CustomResourceDefinitions with descriptions: 'drop', or ${apart}`;
}

function releaseBytes(files: readonly PackageFile[]): number {
  const own = files.filter(({ path }) => !path.startsWith('charts/'));
  const textOf = (name: string): string => own.find(({ path }) => path === name)?.text ?? '';
  const stored = (chosen: readonly PackageFile[]): readonly object[] =>
    chosen.map(({ path, text }) => ({ name: path, data: base64(text) }));
  const release = {
    chart: {
      metadata: parse(textOf('Chart.yaml')) as unknown,
      templates: stored(own.filter(({ path }) => path.startsWith('templates/'))),
      values: parse(textOf('values.yaml')) as unknown,
      schema: base64(textOf('values.schema.json')),
      files: stored(own.filter(({ path }) => !path.startsWith('templates/') && !path.startsWith('values.') && path !== 'Chart.yaml')),
    },
    // A rendered template is about as long as the template: a CustomResourceDefinition, which takes most of the space, has few actions.
    manifest: files
      .filter(isTemplate)
      .map(({ path, text }) => `---\n# Source: ${path}\n${text}`)
      .join('\n'),
  };
  return Math.ceil(gzipSync(JSON.stringify(release), { level: 9 }).length / 3) * 4;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const isTemplate = ({ path }: PackageFile): boolean => /(^|\/)templates\/.*\.yaml$/.test(path) && !path.endsWith('/refusals.yaml');
const isDefinition = (file: PackageFile): boolean => isTemplate(file) && /^kind: CustomResourceDefinition$/m.test(file.text);
