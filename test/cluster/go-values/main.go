// Prints every kind of Kubernetes with every field filled, as Go writes it: one line of JSON for each, with its JSON, YAML and protobuf.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"sigs.k8s.io/yaml"
)

type line struct {
	Group    string `json:"group"`
	Version  string `json:"version"`
	Kind     string `json:"kind"`
	JSON     string `json:"json"`
	YAML     string `json:"yaml"`
	Protobuf []byte `json:"protobuf"`
}

func main() {
	known := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(known))
	utilruntime.Must(apiextensions.AddToScheme(known))
	utilruntime.Must(apiregistration.AddToScheme(known))
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for _, kind := range kindsOf(known) {
		object, err := known.New(kind)
		utilruntime.Must(err)
		fill(reflect.ValueOf(object).Elem(), kind.Kind, nil)
		object.GetObjectKind().SetGroupVersionKind(kind)
		utilruntime.Must(encoder.Encode(written(known, kind, object)))
	}
}

// kindsOf leaves out lists and what belongs to no group alone: options and watch events.
func kindsOf(known *runtime.Scheme) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for kind, goType := range known.AllKnownTypes() {
		isShared := strings.HasSuffix(goType.PkgPath(), "/apis/meta/v1") || kind.Version == runtime.APIVersionInternal
		if !isShared && !strings.HasSuffix(kind.Kind, "List") {
			kinds = append(kinds, kind)
		}
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].String() < kinds[j].String() })
	return kinds
}

func written(known *runtime.Scheme, kind schema.GroupVersionKind, object runtime.Object) line {
	asJSON, err := json.Marshal(object)
	utilruntime.Must(err)
	asYAML, err := yaml.JSONToYAML(asJSON)
	utilruntime.Must(err)
	var asProtobuf bytes.Buffer
	if err := protobuf.NewSerializer(known, known).Encode(object, &asProtobuf); err != nil {
		log.Fatalf("%s: %v", kind, err)
	}
	return line{kind.Group, kind.Version, kind.Kind, string(asJSON), string(asYAML), asProtobuf.Bytes()}
}
