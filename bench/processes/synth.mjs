// Synthesizes N custom resources (a CRD and one object of each) and prints the milliseconds of each step, and its CPU milliseconds.
// `keelson`: from definitions through our constructs. `control`: the very objects that came out, as plain ApiObjects.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { CustomResource, CustomResourceDefinition } from 'keelson/constructs';
import { definition, sampleSpec, schemas } from './definition.mjs';

const [side, count] = [process.argv[2], Number(process.argv[3])];
const outdir = mkdtempSync(join(tmpdir(), 'keelson-bench-'));

const steps = {};
const step = (name, work) => {
  const start = process.cpuUsage();
  const began = performance.now();
  const result = work();
  steps[name] = performance.now() - began;
  const { user, system } = process.cpuUsage(start);
  // The helpers of the engine (compiler, garbage collector) run beside the work on other cores: they cost CPU, not time.
  steps[`${name} CPU`] = (user + system) / 1000;
  return result;
};

const newChart = () => new Chart(new App({ outdir }), 'bench', { namespace: 'bench' });
const range = Array.from({ length: count }, (_, index) => index);

function build(definitions) {
  const chart = newChart();
  for (const [index, customResource] of definitions.entries()) {
    new CustomResourceDefinition(chart, `crd-${index}`, { definition: customResource });
    new CustomResource(chart, `object-${index}`, { definition: customResource, metadata: { name: `object-${index}` }, spec: sampleSpec });
  }
  return chart;
}

if (side === 'keelson') {
  const versions = step('zod', () => range.map(schemas));
  const definitions = step('define', () => versions.map(definition));
  const chart = step('construct', () => build(definitions));
  step('synth', () => chart.node.root.synth());
} else {
  const objects = build(range.map(schemas).map(definition)).toJson();
  const chart = step('construct', () => {
    const plain = newChart();
    for (const [index, object] of objects.entries()) new ApiObject(plain, `object-${index}`, object);
    return plain;
  });
  step('synth', () => chart.node.root.synth());
}
rmSync(outdir, { recursive: true });
console.log(JSON.stringify(steps));
