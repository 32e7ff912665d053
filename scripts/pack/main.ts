import { packPackages } from '../build/pack.js';

/**
 * Packs all packages into a folder, for projects on this machine.
 *
 *     npm run pack                 # into lib/npm
 *     npm run pack -- FOLDER
 */
const [folder = 'lib/npm'] = process.argv.slice(2);
for (const tarball of Object.values(packPackages(folder))) console.log(tarball);
