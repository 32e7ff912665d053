export { type ApiDocuments, readSaved, readServer, type ServerAccess, saveDocuments } from './api-documents.js';
export { generateKinds } from './generated-files.js';
