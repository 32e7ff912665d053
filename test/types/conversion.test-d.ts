import { defineCustomResource } from 'keelson';
import { z } from 'zod';

// A list literal that a conversion returns is checked against the version it becomes, not narrowed to a tuple on the way.
defineCustomResource({
  group: 'net.example.com',
  kind: 'Network',
  versions: {
    v1: { storage: true, spec: z.object({ cidrs: z.array(z.string()) }) },
    v1beta1: { spec: z.object({ cidr: z.string() }) },
  },
  convert: {
    v1beta1: {
      toStorage: ({ spec }) => ({ spec: { cidrs: [spec.cidr] } }),
      fromStorage: ({ spec }) => ({ spec: { cidr: spec.cidrs[0] ?? '' } }),
    },
  },
});
