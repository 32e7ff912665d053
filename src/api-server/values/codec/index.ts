/** Bodies of requests and answers as bytes: what is JSON, what is YAML, and what Go says where they are not. Nothing here knows of kinds or of HTTP. */
export { BodyProblem } from './body-problem.js';
export { jsonText, prettyJsonText } from './json-text.js';
export { parseJson } from './parse-json.js';
export { parseYaml } from './parse-yaml.js';
export type { ParsedBody } from './parsed-body.js';
export { type YamlDocument, yamlDocuments } from './yaml-documents.js';
export { yamlText } from './yaml-text.js';
