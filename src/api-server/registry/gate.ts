import { OperatorError } from '@keelson/kubernetes/apimachinery';
import {
  type Admission,
  type AdmissionRequest,
  type DeleteOptions,
  type Draft,
  draftOf,
  type JsonObject,
  type RequestContext,
  type Target,
} from '../contract/index.js';
import { decodeManagedFields } from '../values/index.js';
import { type DraftMetadata, draftMetadata, managedFieldsOf, metadataOf } from './metadata.js';

/** Kind of the bodies of `/scale`. */
const SCALE_KIND = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

type Kind = NonNullable<AdmissionRequest['kind']>;

/** The way of one request through admission. */
export class Gate {
  readonly #admission: Admission;
  readonly #target: Target;
  readonly #context: RequestContext;
  /** From the body, where a subresource has its own. */
  readonly #kind: Kind | undefined;

  constructor(admission: Admission, { target, context }: { target: Target; context: RequestContext }) {
    this.#admission = admission;
    this.#target = target;
    this.#context = context;
    this.#kind = target.subresource === 'scale' ? SCALE_KIND : undefined;
  }

  /** @returns the object to go on with. */
  async mutate(draft: Draft, old: JsonObject | undefined): Promise<Draft> {
    const before = managedFieldsOf(metadataOf(draft));
    const admitted = await this.#admission.mutate(this.#writeRequest(draft, old, this.#target.name));
    if (admitted === undefined || admitted === draft) return draft;
    const changed = draftOf(admitted);
    this.#keepManagedFieldsValid(draftMetadata(changed), before);
    return changed;
  }

  /** The name of an object that is created is known by now. */
  async validate(object: JsonObject, old: JsonObject | undefined): Promise<void> {
    await this.#admission.validate(this.#writeRequest(object, old, this.#target.name || (metadataOf(object).name ?? '')));
  }

  /** Both steps of a deletion, which can refuse it and not change anything. */
  async validateDelete(old: JsonObject, options: DeleteOptions): Promise<void> {
    const request: AdmissionRequest = {
      ...this.#base('DELETE', this.#target.name),
      oldObject: old,
      options: deleteOptions(options, this.#context),
    };
    await this.#admission.mutate(request);
    await this.#admission.validate(request);
  }

  #writeRequest(object: JsonObject, old: JsonObject | undefined, name: string): AdmissionRequest {
    const isCreation = old === undefined;
    return {
      ...this.#base(isCreation ? 'CREATE' : 'UPDATE', name || (isCreation ? (metadataOf(object).name ?? '') : '')),
      object,
      ...(isCreation ? {} : { oldObject: old }),
      options: writeOptions(isCreation ? 'CreateOptions' : 'UpdateOptions', this.#context),
    };
  }

  #base(operation: AdmissionRequest['operation'], name: string): Omit<AdmissionRequest, 'options'> {
    const { served, subresource, namespace } = this.#target;
    const isNamespace = served.resource.group === '' && served.resource.plural === 'namespaces';
    return {
      operation,
      served,
      subresource,
      ...(this.#kind === undefined ? {} : { kind: this.#kind }),
      namespace: isNamespace ? name : namespace,
      name,
      context: this.#context,
    };
  }

  #keepManagedFieldsValid(metadata: DraftMetadata, before: ReturnType<typeof managedFieldsOf>): void {
    try {
      decodeManagedFields(managedFieldsOf(metadata));
    } catch (error) {
      if (!OperatorError.isOperatorError(error)) throw error;
      if (before.length === 0) delete metadata.managedFields;
      else metadata.managedFields = [...before];
      this.#context.warn(
        `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
      );
    }
  }
}

function writeOptions(kind: string, { parameters = {}, isDryRun }: RequestContext): JsonObject {
  const { fieldManager, fieldValidation } = parameters;
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...dryRun(isDryRun),
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
  };
}

function deleteOptions(options: DeleteOptions, { isDryRun }: RequestContext): JsonObject {
  const { gracePeriodSeconds, preconditions, propagationPolicy } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...dryRun(isDryRun),
  };
}

function dryRun(isDryRun: boolean): JsonObject {
  return isDryRun ? { dryRun: ['All'] } : {};
}
