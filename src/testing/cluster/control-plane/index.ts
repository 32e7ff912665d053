/** Real etcd, kube-apiserver and kube-controller-manager as child processes. */
export type { AssetName, AssetOptions } from './assets.js';
export { Component, ComponentError, type ComponentOptions } from './component.js';
export { ControlPlane, type ControlPlaneOptions } from './control-plane.js';
export { type Credentials, writeCredentials } from './credentials.js';
export { freePorts, releasePorts } from './free-ports.js';
export { Guardian } from './guardian.js';
export { auditFileOf, controllerManager, etcd, freeSite, kubeApiServer, type Site, urlOf } from './parts.js';
export { serviceAccountTokenKey } from './token-key.js';
