export { documentsOf, exampleNames, manifestsOf, type Synthesized, synthesizeExample } from './manifests.js';
