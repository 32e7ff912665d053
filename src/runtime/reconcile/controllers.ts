import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, OperatorModel } from 'keelson/internal/definition';
import { type BackgroundActivity, sumOf } from '../outside/index.js';
import type { Instance } from './cluster-names.js';
import { rivalsOf } from './rivals.js';
import { ControllerRunner, type ControllerRunnerOptions, type Term } from './runner/index.js';
import { KnownNames, type StrayNames } from './strays.js';

/** The options that a process gives to one of its controllers. */
export type ControllerGround = Omit<ControllerRunnerOptions, 'controller' | 'instance' | 'known' | 'rivals'> & {
  /** Name and selectors of the installation. @defaultValue the operator's name, and all objects */
  readonly instance?: Omit<Instance, 'operator' | 'formerOperators'> | undefined;
};

/** The controllers of an operator in one process; those of one kind put objects to work for each other. */
export class Controllers {
  readonly all: readonly ControllerRunner[];

  /** @throws TypeError for a controller that uses externals, in a process that was given none */
  constructor(
    operator: Pick<OperatorModel, 'name' | 'formerNames' | 'controllers'>,
    groundOf: (controller: ControllerModel) => ControllerGround,
  ) {
    const all: ControllerRunner[] = [];
    const { name, formerNames, controllers } = operator;
    const known = new KnownNames(operator);
    for (const controller of controllers) {
      const rivals = rivalsOf(controller, { controllers }, () => all);
      const { instance: installation, ...ground } = groundOf(controller);
      const instance = { ...installation, operator: name, formerOperators: formerNames };
      all.push(new ControllerRunner({ ...ground, controller, instance, known, rivals }));
    }
    this.all = all;
  }

  for(kind: KindInfo): readonly ControllerRunner[] {
    return this.all.filter(({ kind: reconciled }) => reconciled.group === kind.group && reconciled.kind === kind.kind);
  }

  /** Names on the cluster that belong to no controller. */
  get strays(): readonly StrayNames[] {
    return this.all.flatMap((runner) => runner.strays);
  }

  /** Whether all that they read from is complete. */
  get hasSynced(): boolean {
    return this.all.every(({ hasSynced }) => hasSynced);
  }

  /** Nothing is under way. Background work may go on: {@link background}. */
  get isIdle(): boolean {
    return this.all.every(({ hasSynced, isIdle }) => hasSynced && isIdle);
  }

  /** As {@link isIdle}, and nothing waits for another try. */
  get isSettled(): boolean {
    return this.all.every(({ hasSynced, isSettled }) => hasSynced && isSettled);
  }

  get background(): BackgroundActivity {
    return sumOf(this.all.map(({ background }) => background));
  }

  /** Works for one term; ends when a signal is aborted and nothing is under way any more. */
  async run(term: Term): Promise<void> {
    await Promise.all(this.all.map((runner) => runner.run(term)));
  }

  close(): void {
    for (const runner of this.all) runner.close();
  }
}
