export { documentsOf, exampleNames, manifestsOf, type Synthesized, synthesizeExample, synthesizeExamples } from './manifests.js';
