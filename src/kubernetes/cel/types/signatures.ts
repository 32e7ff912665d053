/**
 * The functions of Kubernetes' CEL environment, one per line: `name overload | overload …`.
 *
 * `string.(int) string` is called on a string; `(string) int` is a global call. A single capital letter is a type parameter.
 * Order within a line is cel-go's: the first overload that fits decides the result type.
 * Text, because parsing it on first use costs less at import than building the objects.
 * Source: the environment of apiserver (`k8s.io/apiserver/pkg/cel/environment`), as far as every supported release accepts it in new objects.
 */
export const SIGNATURES = `
!_ (bool) bool
-_ (double) double | (int) int
@in (A, list(A)) bool | (A, map(A, B)) bool
@not_strictly_false (bool) bool
_!=_ (A, A) bool
_%_ (int, int) int | (uint, uint) uint
_&&_ (bool, bool) bool
_*_ (double, double) double | (int, int) int | (uint, uint) uint
_+_ (bytes, bytes) bytes | (double, double) double | (duration, duration) duration | (duration, timestamp) timestamp | (timestamp, duration) timestamp | (int, int) int | (list(A), list(A)) list(A) | (string, string) string | (uint, uint) uint
_-_ (double, double) double | (duration, duration) duration | (int, int) int | (timestamp, duration) timestamp | (timestamp, timestamp) duration | (uint, uint) uint
_/_ (double, double) double | (int, int) int | (uint, uint) uint
_==_ (A, A) bool
_?._ (dyn, string) optional(V)
_?_:_ (bool, A, A) A
_[?_] (list(V), int) optional(V) | (optional(list(V)), int) optional(V) | (map(K, V), K) optional(V) | (optional(map(K, V)), K) optional(V)
_[_] (list(A), int) A | (map(A, B), A) B | (optional(list(V)), int) optional(V) | (optional(map(K, V)), K) optional(V)
_||_ (bool, bool) bool
add kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity | kubernetes.Quantity.(int) kubernetes.Quantity
allowed authz.Decision.() bool
asApproximateFloat kubernetes.Quantity.() double
asInteger kubernetes.Quantity.() int
bool (bool) bool | (string) bool
bytes (bytes) bytes | (string) bytes
cel.@mapInsert (map(K, V), K, V) map(K, V) | (map(K, V), map(K, V)) map(K, V)
charAt string.(int) string
check authz.PathCheck.(string) authz.Decision | authz.ResourceCheck.(string) authz.Decision
cidr (string) net.CIDR
compareTo kubernetes.Quantity.(kubernetes.Quantity) int | kubernetes.Semver.(kubernetes.Semver) int
contains string.(string) bool
containsCIDR net.CIDR.(string) bool | net.CIDR.(net.CIDR) bool
containsIP net.CIDR.(string) bool | net.CIDR.(net.IP) bool
double (double) double | (int) double | (string) double | (uint) double
duration (duration) duration | (string) duration
dyn (A) dyn
endsWith string.(string) bool
error authz.Decision.() string
errored authz.Decision.() bool
family net.IP.() int
fieldSelector authz.ResourceCheck.(string) authz.ResourceCheck
find string.(string) string
findAll string.(string) list(string) | string.(string, int) list(string)
format string.(list(dyn)) string
format.byte () kubernetes.NamedFormat
format.date () kubernetes.NamedFormat
format.datetime () kubernetes.NamedFormat
format.dns1035Label () kubernetes.NamedFormat
format.dns1035LabelPrefix () kubernetes.NamedFormat
format.dns1123Label () kubernetes.NamedFormat
format.dns1123LabelPrefix () kubernetes.NamedFormat
format.dns1123Subdomain () kubernetes.NamedFormat
format.dns1123SubdomainPrefix () kubernetes.NamedFormat
format.labelValue () kubernetes.NamedFormat
format.named (string) optional(kubernetes.NamedFormat)
format.qualifiedName () kubernetes.NamedFormat
format.uri () kubernetes.NamedFormat
format.uuid () kubernetes.NamedFormat
getDate timestamp.() int | timestamp.(string) int
getDayOfMonth timestamp.() int | timestamp.(string) int
getDayOfWeek timestamp.() int | timestamp.(string) int
getDayOfYear timestamp.() int | timestamp.(string) int
getEscapedPath kubernetes.URL.() string
getFullYear timestamp.() int | timestamp.(string) int
getHost kubernetes.URL.() string
getHostname kubernetes.URL.() string
getHours timestamp.() int | timestamp.(string) int | duration.() int
getMilliseconds timestamp.() int | timestamp.(string) int | duration.() int
getMinutes timestamp.() int | timestamp.(string) int | duration.() int
getMonth timestamp.() int | timestamp.(string) int
getPort kubernetes.URL.() string
getQuery kubernetes.URL.() map(string, list(string))
getScheme kubernetes.URL.() string
getSeconds timestamp.() int | timestamp.(string) int | duration.() int
group authz.Authorizer.(string) authz.GroupCheck
hasValue optional(V).() bool
indexOf list(A).(A) int | string.(string) int | string.(string, int) int
int (int) int | (double) int | (duration) int | (string) int | (timestamp) int | (uint) int
ip (string) net.IP | net.CIDR.() net.IP
ip.isCanonical (string) bool
isCIDR (string) bool
isGlobalUnicast net.IP.() bool
isGreaterThan kubernetes.Quantity.(kubernetes.Quantity) bool | kubernetes.Semver.(kubernetes.Semver) bool
isIP (string) bool
isInteger kubernetes.Quantity.() bool
isLessThan kubernetes.Quantity.(kubernetes.Quantity) bool | kubernetes.Semver.(kubernetes.Semver) bool
isLinkLocalMulticast net.IP.() bool
isLinkLocalUnicast net.IP.() bool
isLoopback net.IP.() bool
isQuantity (string) bool
isSemver (string) bool | (string, bool) bool
isSorted list(int).() bool | list(uint).() bool | list(double).() bool | list(bool).() bool | list(duration).() bool | list(timestamp).() bool | list(string).() bool | list(bytes).() bool
isURL (string) bool
isUnspecified net.IP.() bool
join list(string).() string | list(string).(string) string
labelSelector authz.ResourceCheck.(string) authz.ResourceCheck
lastIndexOf list(A).(A) int | string.(string) int | string.(string, int) int
lowerAscii string.() string
major kubernetes.Semver.() int
masked net.CIDR.() net.CIDR
matches (string, string) bool | string.(string) bool
max list(int).() int | list(uint).() uint | list(double).() double | list(bool).() bool | list(duration).() duration | list(timestamp).() timestamp | list(string).() string | list(bytes).() bytes
min list(int).() int | list(uint).() uint | list(double).() double | list(bool).() bool | list(duration).() duration | list(timestamp).() timestamp | list(string).() string | list(bytes).() bytes
minor kubernetes.Semver.() int
name authz.ResourceCheck.(string) authz.ResourceCheck
namespace authz.ResourceCheck.(string) authz.ResourceCheck
optional.none () optional(V)
optional.of (V) optional(V)
optional.ofNonZeroValue (V) optional(V)
optional.unwrap (list(optional(V))) list(V)
or optional(V).(optional(V)) optional(V)
orValue optional(V).(V) V
patch kubernetes.Semver.() int
path authz.Authorizer.(string) authz.PathCheck
prefixLength net.CIDR.() int
quantity (string) kubernetes.Quantity
reason authz.Decision.() string
replace string.(string, string) string | string.(string, string, int) string
resource authz.GroupCheck.(string) authz.ResourceCheck
semver (string) kubernetes.Semver | (string, bool) kubernetes.Semver
serviceAccount authz.Authorizer.(string, string) authz.Authorizer
sets.contains (list(T), list(T)) bool
sets.equivalent (list(T), list(T)) bool
sets.intersects (list(T), list(T)) bool
sign (kubernetes.Quantity) int
size (bytes) int | bytes.() int | (list(A)) int | list(A).() int | (map(A, B)) int | map(A, B).() int | (string) int | string.() int
split string.(string) list(string) | string.(string, int) list(string)
startsWith string.(string) bool
string (string) string | (bool) string | (bytes) string | (double) string | (duration) string | (int) string | (timestamp) string | (uint) string | (net.IP) string | (net.CIDR) string
strings.quote (string) string
sub kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity | kubernetes.Quantity.(int) kubernetes.Quantity
subresource authz.ResourceCheck.(string) authz.ResourceCheck
substring string.(int) string | string.(int, int) string
sum list(int).() int | list(uint).() uint | list(double).() double | list(duration).() duration
timestamp (timestamp) timestamp | (int) timestamp | (string) timestamp
trim string.() string
type (A) type(A)
uint (uint) uint | (double) uint | (int) uint | (string) uint
unwrapOpt list(optional(V)).() list(V)
upperAscii string.() string
url (string) kubernetes.URL
validate kubernetes.NamedFormat.(string) optional(list(string))
value optional(V).() V
first list(V).() optional(V)
last list(V).() optional(V)
`;

/**
 * Functions that came later, by the minor release that evaluates them first: it accepts them in new objects one release later, so that a rollback can still
 * read them. Source: `VersionedOptions` of `environment/base.go`: 34 has `ext.Lists` version 3, 37 has `library.Lists` version 1.
 */
export const ADDED_SIGNATURES: Readonly<Record<number, string>> = {
  34: `
@sortByAssociatedKeys list(T).(list(int)) list(T) | list(T).(list(uint)) list(T) | list(T).(list(double)) list(T) | list(T).(list(bool)) list(T) | list(T).(list(duration)) list(T) | list(T).(list(timestamp)) list(T) | list(T).(list(string)) list(T) | list(T).(list(bytes)) list(T)
distinct list(T).() list(T)
flatten list(list(T)).() list(T) | list(dyn).(int) list(dyn)
lists.range (int) list(int)
reverse list(T).() list(T)
slice list(T).(int, int) list(T)
sort list(int).() list(int) | list(uint).() list(uint) | list(double).() list(double) | list(bool).() list(bool) | list(duration).() list(duration) | list(timestamp).() list(timestamp) | list(string).() list(string) | list(bytes).() list(bytes)
`,
  37: `
includes dyn.(dyn) bool
`,
};

/** The minor release of the macro that came later. */
export const SORT_BY_MINOR = 34;

/** Known in mutations only. Source: apiserver `pkg/cel/library/jsonpatch.go`. */
export const SIGNATURES_OF_PATCHES = `
jsonpatch.escapeKey (string) string
`;
