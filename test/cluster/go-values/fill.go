package main

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var moment = time.Date(2024, 2, 29, 23, 59, 58, 123456000, time.UTC)

// Types that write themselves: what their fields hold says nothing about their JSON.
var special = map[reflect.Type]func(name string) any{
	reflect.TypeOf(meta.Time{}):      func(string) any { return meta.NewTime(moment.Truncate(time.Second)) },
	reflect.TypeOf(meta.MicroTime{}): func(string) any { return meta.NewMicroTime(moment) },
	reflect.TypeOf(meta.Duration{}):  func(string) any { return meta.Duration{Duration: 90 * time.Second} },
	reflect.TypeOf(meta.FieldsV1{}):  func(string) any { return meta.FieldsV1{Raw: []byte(`{"f:metadata":{"f:labels":{}}}`)} },
	reflect.TypeOf(resource.Quantity{}): func(name string) any {
		return resource.MustParse(fmt.Sprintf("%dMi", len(name)+1))
	},
	reflect.TypeOf(intstr.IntOrString{}): func(name string) any {
		if len(name)%2 == 0 {
			return intstr.FromInt32(int32(len(name)))
		}
		return intstr.FromString(name + "Value")
	},
	reflect.TypeOf(runtime.RawExtension{}): func(string) any {
		return runtime.RawExtension{Raw: []byte(`{"apiVersion":"example.com/v1","kind":"Example","value":[1,null,"<&>"]}`)}
	},
	reflect.TypeOf(apiextensions.JSON{}): func(name string) any {
		return apiextensions.JSON{Raw: []byte(`{"` + name + `":[true,1.5,"text"]}`)}
	},
	reflect.TypeOf(apiextensions.JSONSchemaPropsOrBool{}): func(string) any {
		return apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: &apiextensions.JSONSchemaProps{Type: "string"}}
	},
	reflect.TypeOf(apiextensions.JSONSchemaPropsOrArray{}): func(string) any {
		return apiextensions.JSONSchemaPropsOrArray{Schema: &apiextensions.JSONSchemaProps{Type: "integer"}}
	},
	reflect.TypeOf(apiextensions.JSONSchemaPropsOrStringArray{}): func(name string) any {
		return apiextensions.JSONSchemaPropsOrStringArray{Property: []string{name}}
	},
	reflect.TypeOf(types.UID("")): func(name string) any { return types.UID(name + "Value") },
}

// fill gives every field a value that its name tells; a type inside itself is left empty.
func fill(value reflect.Value, name string, above []reflect.Type) {
	goType := value.Type()
	if make, found := special[goType]; found {
		value.Set(reflect.ValueOf(make(name)))
		return
	}
	switch goType.Kind() {
	case reflect.Pointer:
		if contains(above, goType.Elem()) {
			return
		}
		value.Set(reflect.New(goType.Elem()))
		fill(value.Elem(), name, above)
	case reflect.Struct:
		if goType == reflect.TypeOf(meta.TypeMeta{}) {
			return
		}
		for index := range goType.NumField() {
			fill(value.Field(index), jsonName(goType.Field(index)), append(above, goType))
		}
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			value.SetBytes([]byte(name + "\x00\xff"))
		} else if !contains(above, goType.Elem()) {
			value.Set(reflect.MakeSlice(goType, 1, 1))
			fill(value.Index(0), name, above)
		}
	case reflect.Map:
		if contains(above, goType.Elem()) {
			return
		}
		key, item := reflect.New(goType.Key()).Elem(), reflect.New(goType.Elem()).Elem()
		fill(key, name+"Key", above)
		fill(item, name, above)
		value.Set(reflect.MakeMap(goType))
		value.SetMapIndex(key, item)
	case reflect.String:
		value.SetString(name + "Value")
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		value.SetInt(int64(len(name) + 1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		value.SetUint(uint64(len(name) + 1))
	case reflect.Float32, reflect.Float64:
		value.SetFloat(float64(len(name)) + 0.5)
	default:
		panic(fmt.Sprintf("no value for %s of %s", goType, name))
	}
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		return field.Name
	}
	return name
}

func contains(above []reflect.Type, goType reflect.Type) bool {
	for _, one := range above {
		if one == goType {
			return true
		}
	}
	return false
}
