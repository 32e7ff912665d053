import { version } from './package.json';

/** The version of this package. */
export const KEELSON_VERSION: string = version;
