// Writes what reflection tells about the Go types of Kubernetes' built-in kinds, as JSON that scripts/generate-kinds/go-types.ts makes a module of.
//
// Input (standard input): a JSON array of the group versions that a server serves, as `apiVersion` writes them.
// Output: {"kinds": {apiVersion: [kind=type]}, "types": {name: text}}; the grammar is told in the module.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	admission "k8s.io/api/admission/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var prefixes = [][2]string{
	{"k8s.io/apimachinery/pkg/apis/", ""},
	{"k8s.io/apimachinery/pkg/api/", ""},
	{"k8s.io/apimachinery/pkg/util/", ""},
	{"k8s.io/apimachinery/pkg/", ""},
	{"k8s.io/apiextensions-apiserver/pkg/apis/", ""},
	{"k8s.io/kube-aggregator/pkg/apis/", ""},
	{"k8s.io/api/", ""},
}

// Types with a decoder of their own: the consumer knows them by name. What they hold is not followed, but for the unions of apiextensions.
var special = map[string][]reflect.Type{
	"meta/v1.Time":                                  nil,
	"meta/v1.MicroTime":                             nil,
	"meta/v1.Duration":                              nil,
	"meta/v1.FieldsV1":                              nil,
	"resource.Quantity":                             nil,
	"intstr.IntOrString":                            nil,
	"runtime.RawExtension":                          nil,
	"apiextensions/v1.JSON":                         nil,
	"apiextensions/v1.JSONSchemaPropsOrArray":       {reflect.TypeFor[apiextensions.JSONSchemaProps]()},
	"apiextensions/v1.JSONSchemaPropsOrBool":        {reflect.TypeFor[apiextensions.JSONSchemaProps]()},
	"apiextensions/v1.JSONSchemaPropsOrStringArray": {reflect.TypeFor[apiextensions.JSONSchemaProps]()},
}

// Kinds that every group version knows: told once, as kinds of "meta/v1".
var metaKinds = map[string]reflect.Type{
	"CreateOptions":             reflect.TypeFor[metav1.CreateOptions](),
	"DeleteOptions":             reflect.TypeFor[metav1.DeleteOptions](),
	"GetOptions":                reflect.TypeFor[metav1.GetOptions](),
	"ListOptions":               reflect.TypeFor[metav1.ListOptions](),
	"PatchOptions":              reflect.TypeFor[metav1.PatchOptions](),
	"UpdateOptions":             reflect.TypeFor[metav1.UpdateOptions](),
	"Status":                    reflect.TypeFor[metav1.Status](),
	"WatchEvent":                reflect.TypeFor[metav1.WatchEvent](),
	"PartialObjectMetadata":     reflect.TypeFor[metav1.PartialObjectMetadata](),
	"PartialObjectMetadataList": reflect.TypeFor[metav1.PartialObjectMetadataList](),
	"Table":                     reflect.TypeFor[metav1.Table](),
	"APIVersions":               reflect.TypeFor[metav1.APIVersions](),
	"APIGroup":                  reflect.TypeFor[metav1.APIGroup](),
	"APIGroupList":              reflect.TypeFor[metav1.APIGroupList](),
	"APIResourceList":           reflect.TypeFor[metav1.APIResourceList](),
}

type walker struct {
	types map[string]string
}

func main() {
	var served []string
	check(json.NewDecoder(os.Stdin).Decode(&served))
	check(admission.AddToScheme(scheme.Scheme))
	check(apiextensions.AddToScheme(scheme.Scheme))
	check(apiregistration.AddToScheme(scheme.Scheme))

	w := walker{types: map[string]string{}}
	kinds := map[string][]string{}
	for _, apiVersion := range served {
		gv, err := schema.ParseGroupVersion(apiVersion)
		check(err)
		kinds[apiVersion] = w.kindsOf(gv)
	}
	// Spoken between the server and webhooks, served nowhere.
	kinds[admission.SchemeGroupVersion.String()] = w.kindsOf(admission.SchemeGroupVersion)
	kinds["meta/v1"] = w.kindList("meta/v1", metaKinds)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"kinds": kinds, "types": w.types}))
}

func (w *walker) kindsOf(gv schema.GroupVersion) []string {
	found := map[string]reflect.Type{}
	for kind, t := range scheme.Scheme.KnownTypes(gv) {
		if metaKinds[kind] == nil && t.PkgPath() != reflect.TypeFor[runtime.Unknown]().PkgPath() {
			found[kind] = t
		}
	}
	if len(found) == 0 {
		fail("no types are known for %s", gv)
	}
	return w.kindList(gv.String(), found)
}

func (w *walker) kindList(apiVersion string, found map[string]reflect.Type) []string {
	list := []string{}
	for kind, t := range found {
		list = append(list, kind+"="+w.named(t))
	}
	sort.Strings(list)
	return list
}

func (w *walker) named(t reflect.Type) string {
	name := nameOf(t)
	if _, known := w.types[name]; known {
		return name
	}
	if inner, isSpecial := special[name]; isSpecial {
		for _, t := range inner {
			w.named(t)
		}
		return name
	}
	w.types[name] = ""
	if t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		fail("%s decodes itself: how it does must be written by hand", name)
	}
	switch {
	case t.Kind() == reflect.Struct:
		w.types[name] = w.structText(t)
	case t.Kind() == reflect.Slice && reflect.PointerTo(t).Implements(protobuf):
		// protobuf has no list of lists: the generated code wraps such a type into a message with one field.
		w.types[name] = "~" + w.underlying(t)
	default:
		w.types[name] = "=" + w.underlying(t)
	}
	return name
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	protobuf    = reflect.TypeFor[interface{ Unmarshal([]byte) error }]()
)

func nameOf(t reflect.Type) string {
	path := t.PkgPath()
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(path, p[0]); ok {
			path = p[1] + rest
			break
		}
	}
	if got := path[strings.LastIndex(path, "/")+1:] + "." + t.Name(); got != t.String() {
		fail("Go calls %s %s, not %s", path, t, got)
	}
	return path + "." + t.Name()
}

func (w *walker) expression(t reflect.Type) string {
	if t.PkgPath() != "" {
		return w.named(t)
	}
	return w.underlying(t)
}

func (w *walker) underlying(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64:
		return t.Kind().String()
	case reflect.Interface:
		return "any"
	case reflect.Pointer:
		return "*" + w.expression(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + w.expression(t.Elem())
	case reflect.Map:
		return "{" + w.expression(t.Key()) + "}" + w.expression(t.Elem())
	}
	fail("%s: a type of this kind (%s) is new", t, t.Kind())
	return ""
}

func (w *walker) structText(t reflect.Type) string {
	fields := []string{}
	for i := range t.NumField() {
		if text := w.field(t, t.Field(i)); text != "" {
			fields = append(fields, text)
		}
	}
	return strings.Join(fields, ";")
}

func (w *walker) field(owner reflect.Type, f reflect.StructField) string {
	tag, hasTag := f.Tag.Lookup("json")
	if tag == "-" {
		return ""
	}
	if !hasTag && !f.Anonymous || !f.IsExported() {
		fail("%s.%s has no JSON name", owner, f.Name)
	}
	name, options, _ := strings.Cut(tag, ",")
	flags := ""
	for _, option := range strings.Split(options, ",") {
		switch option {
		case "omitempty":
			flags += "o"
		case "omitzero":
			flags += "z"
		case "inline", "":
		default:
			fail("%s.%s: JSON option %q is new", owner, f.Name, option)
		}
	}
	if name == "" && f.Anonymous {
		flags = "i"
		name = f.Name
	}
	goName := f.Name
	if goName == capitalised(name) {
		goName = "-"
	}
	columns := []string{name, w.expression(f.Type), or(flags), number(f), goName,
		or(f.Tag.Get("patchStrategy")), or(f.Tag.Get("patchMergeKey"))}
	for columns[len(columns)-1] == "-" {
		columns = columns[:len(columns)-1]
	}
	return strings.Join(columns, " ")
}

func number(f reflect.StructField) string {
	tag := f.Tag.Get("protobuf")
	if tag == "" || tag == "-" {
		return "-"
	}
	// Only the number: the wire type that the tag names is not always the one that is written (ListMeta.RemainingItemCount).
	return strings.Split(tag, ",")[1]
}

func capitalised(name string) string {
	return strings.ToUpper(name[:1]) + name[1:]
}

func or(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", arguments...)
	os.Exit(1)
}
