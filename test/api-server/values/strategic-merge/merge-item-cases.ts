import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { OpenApiSchema } from '../../../../src/api-server/values/apply/index.js';
import { PatchType } from '../../../../src/api-server/values/strategic-merge/index.js';
import type { JsonObject } from '../../../../src/kubernetes/apimachinery/index.js';

const FOLDER = '../shared/data/smp';

/** A case of apimachinery's own tests. What is absent stands for nothing at all. */
export interface PatchCase {
  readonly description: string;
  readonly original?: JsonObject;
  readonly twoWay?: JsonObject;
  readonly modified?: JsonObject;
  /** What the two-way patch gives where it is not `modified` (which may hold nulls). */
  readonly twoWayResult?: JsonObject;
  readonly current?: JsonObject;
  readonly threeWay?: JsonObject;
  readonly result?: JsonObject;
}

export interface SortCase {
  readonly description: string;
  readonly original: JsonObject;
  readonly sorted: JsonObject;
}

export interface MergeItemData {
  readonly created: readonly PatchCase[];
  readonly custom: readonly PatchCase[];
  readonly sorted: readonly SortCase[];
  readonly definitions: Readonly<Record<string, OpenApiSchema>>;
}

export function readMergeItemData(): MergeItemData {
  const casesOf = <T>(name: string): T[] =>
    (parse(readFileSync(`${FOLDER}/${name}TestCaseData.yaml`, 'utf8')) as { testCases: T[] }).testCases;
  const document = JSON.parse(readFileSync(`${FOLDER}/swagger-merge-item-v3.json`, 'utf8')) as {
    components: { schemas: Record<string, OpenApiSchema> };
  };
  return {
    created: casesOf('createStrategicMergePatch'),
    custom: casesOf('customStrategicMergePatch'),
    sorted: casesOf('sortMergeList'),
    definitions: document.components.schemas,
  };
}

export function mergeItemType({ definitions }: MergeItemData): PatchType {
  return PatchType.of('mergeItem', (name) => definitions[name]);
}
