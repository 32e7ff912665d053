/**
 * The JSON of a container as Go writes it: fields in the order of the API's structs, zero values left out.
 *
 * The hashes of the first SidecarSet were made of this text, so Pods that it injected are recognised only when ours is the same to the byte.
 */

/** Fields of each struct, in order. `name:Struct` goes on inside, `!` marks what is written even when it is zero. */
const STRUCTS: Readonly<Record<string, string>> = {
  Container:
    'name! image command args workingDir ports:Port envFrom:EnvFrom env:Env resources!:Resources resizePolicy:ResizePolicy restartPolicy! ' +
    'restartPolicyRules:RestartRule volumeMounts:VolumeMount volumeDevices:VolumeDevice livenessProbe!:Probe readinessProbe!:Probe startupProbe!:Probe ' +
    'lifecycle!:Lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext!:SecurityContext stdin stdinOnce tty',
  Port: 'name hostPort containerPort! protocol hostIP',
  EnvFrom: 'prefix configMapRef!:Reference secretRef!:Reference',
  Reference: 'name optional!',
  Env: 'name! value valueFrom!:EnvSource',
  EnvSource: 'fieldRef!:FieldRef resourceFieldRef!:ResourceFieldRef configMapKeyRef!:KeyRef secretKeyRef!:KeyRef fileKeyRef!:FileKeyRef',
  FieldRef: 'apiVersion fieldPath!',
  ResourceFieldRef: 'containerName resource! divisor!',
  KeyRef: 'name key! optional!',
  FileKeyRef: 'volumeName! path! key! optional!',
  Resources: 'limits:Map requests:Map claims:Claim',
  Claim: 'name! request',
  ResizePolicy: 'resourceName! restartPolicy!',
  RestartRule: 'action exitCodes!:ExitCodes',
  ExitCodes: 'operator values',
  VolumeMount: 'name! readOnly recursiveReadOnly! mountPath! subPath mountPropagation! subPathExpr',
  VolumeDevice: 'name! devicePath!',
  Probe:
    'exec!:Exec httpGet!:HttpGet tcpSocket!:TcpSocket grpc!:Grpc initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold ' +
    'terminationGracePeriodSeconds!',
  Lifecycle: 'postStart!:Handler preStop!:Handler stopSignal!',
  Handler: 'exec!:Exec httpGet!:HttpGet tcpSocket!:TcpSocket sleep!:Sleep',
  Exec: 'command',
  HttpGet: 'path port! host scheme httpHeaders:Header',
  Header: 'name! value!',
  TcpSocket: 'port! host',
  Grpc: 'port! service!',
  Sleep: 'seconds!',
  SecurityContext:
    'capabilities!:Capabilities privileged! seLinuxOptions!:SeLinux windowsOptions!:Windows runAsUser! runAsGroup! runAsNonRoot! ' +
    'readOnlyRootFilesystem! allowPrivilegeEscalation! procMount! seccompProfile!:Profile appArmorProfile!:Profile',
  Capabilities: 'add drop',
  SeLinux: 'user role type level',
  Windows: 'gmsaCredentialSpecName! gmsaCredentialSpec! runAsUserName! hostProcess!',
  Profile: 'type! localhostProfile!',
};

interface Field {
  readonly name: string;
  readonly always: boolean;
  readonly struct: string | undefined;
}

const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.entries(STRUCTS).map(([struct, fields]) => [
    struct,
    fields.split(' ').map((field) => {
      const [name = '', inner] = field.split(':');
      return { name: name.replace('!', ''), always: name.endsWith('!'), struct: inner };
    }),
  ]),
);

/** Go escapes in JSON what could end a script of HTML. */
const ESCAPED: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** @param containers as the API server stores them; quantities as they are written. */
export function containersJson(containers: readonly object[]): string {
  const ordered = containers.map((container) => inOrder({ resources: {}, ...container }, 'Container'));
  return JSON.stringify(ordered).replace(/[<>&\u2028\u2029]/g, (character) => ESCAPED[character] ?? character);
}

function inOrder(value: unknown, struct: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, struct));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const fields = struct === undefined ? undefined : FIELDS.get(struct);
  if (fields === undefined) return sorted(given);
  const ordered = struct === 'ResourceFieldRef' ? { divisor: '0', ...given } : given;
  return Object.fromEntries(
    fields
      .filter(({ name, always }) => ordered[name] !== undefined && ordered[name] !== null && (always || !isZero(ordered[name])))
      .map(({ name, struct: inner }) => [name, inOrder(ordered[name], inner)]),
  );
}

/** Go writes maps by their keys. */
function sorted(map: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}
