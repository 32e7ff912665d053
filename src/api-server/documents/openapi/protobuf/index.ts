/** OpenAPI documents in the messages of gnostic, byte for byte as Go writes them: `openapi.v2.Document` and `openapi.v3.Document`. */
export { readAsYaml } from './read-as-yaml.js';
export { swaggerProtobuf } from './v2.js';
export { openApiProtobuf } from './v3.js';
