/** The functions of the CEL libraries that Kubernetes has, by subject. */
export { parseFormat, refusal } from './format-string.js';
export { implementationOf } from './functions.js';
export { compilePattern } from './regex.js';
