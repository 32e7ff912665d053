/** One property of an interface, its type already in TypeScript. */
export interface PropertyDeclaration {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly documentation?: string | undefined;
}

export interface InterfaceDeclaration {
  readonly is: 'interface';
  readonly name: string;
  readonly properties: readonly PropertyDeclaration[];
  /** Type of what else the object may hold: its schema preserves unknown fields. */
  readonly indexType?: string | undefined;
  readonly documentation?: string | undefined;
}

export interface AliasDeclaration {
  readonly is: 'alias';
  readonly name: string;
  readonly type: string;
  readonly documentation?: string | undefined;
}

/** The `Kind` value that shares its name with the interface of the object. */
export interface KindDeclaration {
  readonly is: 'kind';
  readonly name: string;
  /** Name of the interface that users write; absent: the same as what they read. */
  readonly input?: string | undefined;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly subresources: readonly string[];
  readonly documentation?: string | undefined;
}

export type Declaration = InterfaceDeclaration | AliasDeclaration | KindDeclaration;

export interface ImportDeclaration {
  readonly from: string;
  readonly values?: readonly string[];
  readonly types?: readonly string[];
}

/** One generated TypeScript file. */
export interface ModuleDeclaration {
  /** First line: the tool that wrote the file, and that it must not be edited. */
  readonly marker: string;
  readonly documentation?: string | undefined;
  readonly imports: readonly ImportDeclaration[];
  readonly declarations: readonly Declaration[];
}
