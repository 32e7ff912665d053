import { run } from '@keelson/runtime';
import { operator } from '../../../examples/quickstart/main.js';

/** The entry point that the example leaves to its reader. Its module writes the manifests when it is loaded: the variable CDK8S_OUTDIR says where. */
void run(operator);
