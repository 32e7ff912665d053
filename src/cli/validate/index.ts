/** `keelson validate`: custom resources against the CRDs of any project, in the words of the API server. */
export { runValidate } from './validate-command.js';
