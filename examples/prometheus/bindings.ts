import type { Namespace } from 'keelson/kinds';
import { Assets, InvalidObject, type Sources } from './assets.js';
import type { Binding } from './binding-schema.js';
import { GROUP, type Prometheus } from './kinds.js';
import { ruleFileOf } from './rules.js';
import { scrapesOf } from './scrapes.js';
import { isSelected, type Selected, type SelectedName } from './selection.js';
import { CONTROLLER_ID } from './settings.js';

type Configuring = Selected[SelectedName][number];

export interface BindingsQuestion {
  readonly object: Configuring;
  /** The selection that the object belongs to. */
  readonly name: SelectedName;
  /** The namespace of the object. */
  readonly namespace: Pick<Namespace, 'metadata'> | undefined;
  readonly prometheuses: readonly Prometheus[];
  readonly sources: Sources;
  readonly controllerId: string;
  readonly now: Date;
}

// #region bindings
/** The Prometheuses that select an object, and whether each of them takes it. One that is being deleted selects nothing. */
export function bindingsOf(question: BindingsQuestion): Binding[] {
  const { object, name, namespace, controllerId } = question;
  return question.prometheuses
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .flatMap((prometheus) => {
      const before = bindingTo(prometheus, object);
      if (prometheus.metadata.deletionTimestamp !== undefined) return [];
      // Another operator's, or one that stands still: what was said last is true still. It is one field manager, so a binding that is not said again would go.
      if ((prometheus.metadata.annotations?.[CONTROLLER_ID] ?? '') !== controllerId || prometheus.spec.paused)
        return before === undefined ? [] : [before];
      return isSelected(name, object, { prometheus, namespace }) ? [bindingOf(prometheus, before, question)] : [];
    });
}
// #endregion

function bindingOf(prometheus: Prometheus, before: Binding | undefined, { object, sources, now }: BindingsQuestion): Binding {
  const problem = problemOf(object, prometheus, sources);
  const status = problem === undefined ? 'True' : 'False';
  const last = before?.conditions?.find(({ type }) => type === 'Accepted');
  return {
    ...referenceTo(prometheus),
    conditions: [
      {
        type: 'Accepted',
        status,
        lastTransitionTime: last?.status === status ? last.lastTransitionTime : `${now.toISOString().slice(0, 19)}Z`,
        ...(problem === undefined ? {} : { reason: 'InvalidConfiguration', message: problem }),
        ...(object.metadata.generation === undefined ? {} : { observedGeneration: object.metadata.generation }),
      },
    ],
  };
}

/** Why this Prometheus leaves the object out; `undefined`: it takes it. The same functions make its configuration. */
function problemOf(object: Configuring, prometheus: Prometheus, sources: Sources): string | undefined {
  try {
    if (object.kind === 'PrometheusRule') ruleFileOf(object);
    else scrapesOf(object, { prometheus, apiServer: {}, assets: new Assets(sources) });
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidObject)) throw error;
    return error.message;
  }
}

const referenceTo = ({ metadata: { name, namespace = '' } }: Prometheus): Omit<Binding, 'conditions'> => ({
  group: GROUP,
  resource: 'prometheuses',
  name,
  namespace,
});

function bindingTo(prometheus: Prometheus, { status }: Configuring): Binding | undefined {
  const reference = referenceTo(prometheus);
  return status?.bindings?.find((each) => (['resource', 'name', 'namespace'] as const).every((field) => each[field] === reference[field]));
}

const keyOf = ({ metadata: { namespace, name } }: Prometheus): string => `${namespace}/${name}`;
