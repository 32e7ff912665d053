import { type GoField, type GoType, GoTypes } from '../../../values/index.js';

/**
 * Values as the server's messages print them: it validates types of its own ("internal" ones), whose fields are called as in Go, are all printed, and stand
 * in another order here and there.
 *
 * Only refusals are printed: the table of types is read anew for each.
 */
export function internalValue(struct: string, value: unknown): unknown {
  return new InternalPrinter().struct(struct, value);
}

/** Source: kubernetes 1.34 `pkg/apis/{core,apps}/types.go`. Only what differs from the types that clients see. */
const ORDERS: Readonly<Record<string, string>> = {
  'core/v1.VolumeSource':
    'HostPath EmptyDir GCEPersistentDisk AWSElasticBlockStore GitRepo Secret NFS ISCSI Glusterfs PersistentVolumeClaim RBD Quobyte FlexVolume Cinder CephFS Flocker DownwardAPI FC AzureFile ConfigMap VsphereVolume AzureDisk PhotonPersistentDisk Projected PortworxVolume ScaleIO StorageOS CSI Ephemeral Image',
  'core/v1.PersistentVolumeSource':
    'GCEPersistentDisk AWSElasticBlockStore HostPath Glusterfs NFS RBD Quobyte ISCSI FlexVolume Cinder CephFS FC Flocker AzureFile VsphereVolume AzureDisk PhotonPersistentDisk PortworxVolume ScaleIO Local StorageOS CSI',
  'core/v1.PodSpec':
    'Volumes InitContainers Containers EphemeralContainers RestartPolicy TerminationGracePeriodSeconds ActiveDeadlineSeconds DNSPolicy NodeSelector ServiceAccountName AutomountServiceAccountToken NodeName SecurityContext ImagePullSecrets Hostname Subdomain SetHostnameAsFQDN Affinity SchedulerName Tolerations HostAliases PriorityClassName Priority PreemptionPolicy DNSConfig ReadinessGates RuntimeClassName Overhead EnableServiceLinks TopologySpreadConstraints OS SchedulingGates ResourceClaims Resources HostnameOverride',
  'core/v1.PodSecurityContext':
    'HostNetwork HostPID HostIPC ShareProcessNamespace HostUsers SELinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot SupplementalGroups SupplementalGroupsPolicy FSGroup FSGroupChangePolicy Sysctls SeccompProfile AppArmorProfile SELinuxChangePolicy',
};

/** Fields that the internal security context has taken over from the spec. */
const HOST_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'] as const;
const NOT_POINTERS: ReadonlySet<string> = new Set([
  'apps/v1.RollingUpdateStatefulSetStrategy.Partition',
  'apps/v1.RollingUpdateDeployment.MaxUnavailable',
  'apps/v1.RollingUpdateDeployment.MaxSurge',
  'apps/v1.RollingUpdateDaemonSet.MaxUnavailable',
  'apps/v1.RollingUpdateDaemonSet.MaxSurge',
  'core/v1.ServiceAccountTokenProjection.ExpirationSeconds',
]);

type Fields = Readonly<Record<string, unknown>>;
type Printed = Map<string, unknown>;

class InternalPrinter {
  readonly #types = new GoTypes();

  struct(name: string, value: unknown): unknown {
    if (value === undefined || value === null) return null;
    const printed: Printed = new Map();
    if (name.startsWith('meta/v1.')) this.#versioned(name, value as Fields, printed);
    else this.#internal(name, value as Fields, printed);
    return printed;
  }

  /** Types that the server has no other form of: what is empty is left out, which it is already. */
  #versioned(name: string, value: Fields, printed: Printed): void {
    for (const { jsonName, type, isInlined } of this.#types.fields({ name })) {
      if (isInlined) this.#versioned(structName(type), value, printed);
      else if (value[jsonName] !== undefined) printed.set(jsonName, this.#value(type, value[jsonName]));
    }
  }

  #internal(name: string, value: Fields, printed: Printed): void {
    const fields = name === 'core/v1.PodSpec' ? withHostFields(value) : value;
    for (const { jsonName, goName, type, isInlined } of this.#fields(name)) {
      const isMetadata = type.form === 'struct' && type.name === 'meta/v1.ObjectMeta';
      if (isMetadata) this.#versioned(type.name, (fields[jsonName] ?? {}) as Fields, printed);
      else if (isInlined) this.#internal(structName(type), fields, printed);
      else printed.set(goName, this.#value(NOT_POINTERS.has(`${name}.${goName}`) ? pointedAt(type) : type, fields[jsonName]));
    }
  }

  #fields(name: string): readonly GoField[] {
    const fields = this.#types.fields({ name });
    const order = ORDERS[name]?.split(' ');
    if (order === undefined) return fields.filter(({ type }) => !(type.form === 'struct' && type.name === 'meta/v1.TypeMeta'));
    const known = new Map(fields.map((field) => [field.goName, field]));
    const spec = new Map(this.#types.fields({ name: 'core/v1.PodSpec' }).map((field) => [field.goName, field]));
    return order.flatMap((goName) => known.get(goName) ?? spec.get(goName) ?? []);
  }

  #value(type: GoType, value: unknown): unknown {
    switch (type.form) {
      case 'pointer':
        return value === undefined || value === null ? null : this.#value(type.item, value);
      case 'slice':
        return Array.isArray(value) ? value.map((item) => this.#value(type.item, item)) : null;
      case 'map':
        return value === undefined || value === null ? null : this.#entries(type.item, value as Fields);
      case 'struct':
        return this.struct(type.name, value ?? {});
      case 'special':
        return value ?? zeroOfSpecial(type.name);
      default:
        return value ?? ZERO[type.form];
    }
  }

  #entries(item: GoType, value: Fields): Fields {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.#value(item, entry)]));
  }
}

const ZERO = { string: '', bool: false, int32: 0, int64: 0, float64: 0, bytes: null, any: null } as const;

function zeroOfSpecial(name: string): unknown {
  if (name.endsWith('.Quantity')) return '0';
  return name.endsWith('.IntOrString') ? 0 : null;
}

function structName(type: GoType): string {
  if (type.form === 'struct') return type.name;
  throw new RangeError(`${type.goName} is inlined and is not a struct`);
}

function pointedAt(type: GoType): GoType {
  return type.form === 'pointer' ? type.item : type;
}

function withHostFields(spec: Fields): Fields {
  const taken = Object.fromEntries(HOST_FIELDS.map((field) => [field, spec[field]]));
  return { ...spec, securityContext: { ...taken, ...(spec['securityContext'] as object) } };
}
