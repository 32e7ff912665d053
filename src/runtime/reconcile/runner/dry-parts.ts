import type { Events, StatusShareModel } from 'keelson/internal/definition';
import type { Informer } from '../../cache/index.js';
import type { Outside } from '../../outside/index.js';
import { WOULD_CHANGE } from '../../status/index.js';
import type { Informers } from '../informers.js';

/** The share of an observed run leaves out its own condition: it says what is found, and is not found itself. */
export const OBSERVER: { readonly name: string; readonly writesStatus: boolean; readonly statusShare: StatusShareModel } = {
  name: 'mode observe',
  writesStatus: true,
  statusShare: { neededForReady: false, conditions: [WOULD_CHANGE], fields: [] },
};

/** The same caches, which do not take the answers of writes: an answer to a dry run is of no object. */
export function unwritten(informers: Informers): Informers {
  const all = (map: Readonly<Record<string, Informer>>): Readonly<Record<string, Informer>> =>
    Object.fromEntries(Object.entries(map).map(([name, informer]) => [name, unwrittenOne(informer)]));
  const { primary, owns, watches, released = {} } = informers;
  return {
    ...informers,
    primary: unwrittenOne(primary),
    owns: all(owns),
    watches: all(watches),
    released: all(released) as Informers['released'],
  };
}

function unwrittenOne(informer: Informer): Informer {
  return new Proxy(informer, {
    get(of, name) {
      if (name === 'written' || name === 'deleted') return () => undefined;
      const member: unknown = Reflect.get(of, name, of);
      // A kind is a function with properties, which a bound one lacks.
      return typeof member === 'function' && name !== 'kind' ? (member.bind(of) as unknown) : member;
    },
  });
}

/** The world outside without what acts there: background work is not started, and goes on if it runs. */
export function inactive(outside: Pick<Outside, 'handles'>, works: readonly string[]): Pick<Outside, 'handles'> {
  return {
    handles: (object, signal, of) => {
      const handles = outside.handles(object, signal, of);
      const idle = works.flatMap((name): [string, object][] => {
        const handle = handles[name] as { readonly state: (key: string) => unknown } | undefined;
        return handle === undefined ? [] : [[name, Object.freeze({ ...handle, start: handle.state, cancel: () => undefined })]];
      });
      return { ...handles, ...Object.fromEntries(idle) };
    },
  };
}

/** Events of an observed run are about nothing that has happened. */
export const NO_EVENTS: Events = { normal: () => undefined, warning: () => undefined };
