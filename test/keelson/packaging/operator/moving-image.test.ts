import { defineCustomResource, defineOperator } from 'keelson';
import { defineOperatorPackage, helmChart } from 'keelson/packaging';
import { z } from 'zod';

const Bird = defineCustomResource({ group: 'lab.example.com', kind: 'Bird', versions: { v1: { spec: z.object({ wings: z.int32() }) } } });
const operator = defineOperator({ name: 'birds', customResources: [Bird] });

function warningsWith(image: string): string[] {
  const warnings: string[] = [];
  const spy = jest.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(String(warning)));
  try {
    helmChart(defineOperatorPackage({ operator, image, version: '1.0.0' }));
  } finally {
    spy.mockRestore();
  }
  return warnings;
}

test('an image that moves under its name is a warning of the package, once; images that the synthesis draws are none', () => {
  expect(warningsWith('registry.example.com/birds:1.0.0')).toEqual([]);
  expect(warningsWith('registry.example.com/birds:latest')).toEqual([
    expect.stringContaining("the image 'registry.example.com/birds:latest' can be another one tomorrow"),
  ]);
});
