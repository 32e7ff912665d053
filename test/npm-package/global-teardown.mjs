import { rmSync } from 'node:fs';

export default function tearDown() {
  rmSync(process.env.KEELSON_PACKAGING, { recursive: true, force: true });
}
