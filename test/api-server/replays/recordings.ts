import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One request to a real server, and what it answered. */
export interface Exchange {
  readonly request_url: string;
  readonly request_method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  readonly request_body: string | null;
  readonly request_content_type: string | null;
  readonly response_status_code: number;
  readonly response_body: string;
}

const FOLDER = join(process.cwd(), '../shared/data/replays/k8s-openapi-tests/test-replays');

/** Kubernetes minors of which there are recordings. */
export const RECORDED_VERSIONS = ['v1-32', 'v1-33', 'v1-34', 'v1-35', 'v1-36'] as const;
export type RecordedVersion = (typeof RECORDED_VERSIONS)[number];

export function recording(version: RecordedVersion, name: string): readonly Exchange[] {
  return JSON.parse(readFileSync(join(FOLDER, version, `${name}.json`), 'utf8')) as readonly Exchange[];
}
