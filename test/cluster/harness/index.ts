export type { ApiResponse, Method, RequestOptions } from './api-client.js';
export type { AuditEntry } from './audit.js';
export type { Cluster, ClusterConnection, KubectlResult, TestObject } from './cluster.js';
export type { Component } from './component.js';
export { describeCluster } from './describe-cluster.js';
export { type ClusterOptions, type LocalCluster, startCluster } from './local-cluster.js';
export { pollUntil } from './poll.js';
export { isStatus, RequestRefused, type Status, type StatusCause } from './status.js';
