import { namespaced, type Story, story } from '../../stories/story.js';
import { main } from './pod-story.js';

const templates = namespaced('v1', 'PodTemplate', 'podtemplates');
const metadata = { labels: { app: 'a' } };

export const podTemplateStories: readonly Story[] = [
  story(
    templates,
    'plain',
    { template: { metadata, spec: { containers: [main] } } },
    { patch: { template: { metadata: { labels: { x: 'y' } } } } },
    { patch: { metadata: { labels: { x: 'y' } } } },
  ),
  story(templates, 'bad', { template: { metadata, spec: { containers: [] } } }),
];
