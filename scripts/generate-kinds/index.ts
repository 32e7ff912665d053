export { type ApiDocuments, readSaved, readServer, type ServerAccess, saveDocuments } from './api-documents.js';
export { generateKinds, generateThirdPartyKinds } from './generated-files.js';
export { goTypesModule } from './go-types.js';
