/** The document `/openapi/v2`, as JSON and as protobuf. Source: kube-openapi `pkg/builder`, gnostic `openapiv2`, kube-aggregator `pkg/controllers/openapi`, 1.34. */
export { swaggerDocument } from './document.js';
export { swaggerProtobuf } from './protobuf.js';
