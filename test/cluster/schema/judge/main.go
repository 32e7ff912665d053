// Command schema-judge answers for a kube-apiserver: which schemas it takes for a custom resource, and which values it stores under them.
//
// It reads one question a line and writes one answer a line, in the same order, with the packages that the API server itself is made of. Thousands of schemas
// take seconds here; on a server each needs a CRD that has to become established.
package main

import (
	"bufio"
	"context"
	stdjson "encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// question is a schema of a whole custom resource, and objects of it.
type question struct {
	Schema  stdjson.RawMessage   `json:"schema"`
	Objects []stdjson.RawMessage `json:"objects"`
}

type answer struct {
	// Problems of the schema; with any of them no object is judged.
	Problems []string  `json:"problems"`
	Verdicts []verdict `json:"verdicts"`
}

type verdict struct {
	Causes []string    `json:"causes"`
	Stored interface{} `json:"stored"`
}

// Enough for a schema with the whole PodTemplateSpec in it.
const longestLine = 16 << 20

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	out := bufio.NewWriter(os.Stdout)
	encoder := stdjson.NewEncoder(out)
	for lines.Scan() {
		var asked question
		if err := stdjson.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		answered, err := judge(asked)
		if err != nil {
			return err
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return out.Flush()
}

func judge(asked question) (answer, error) {
	judged := answer{Problems: []string{}, Verdicts: []verdict{}}
	var external apiextensionsv1.JSONSchemaProps
	if err := stdjson.Unmarshal(asked.Schema, &external); err != nil {
		// As the server, which answers 400 to what it cannot decode.
		judged.Problems = append(judged.Problems, err.Error())
		return judged, nil
	}
	definition, err := definitionAround(external)
	if err != nil {
		return judged, err
	}
	if problems := crdvalidation.ValidateCustomResourceDefinition(context.Background(), definition); len(problems) > 0 {
		judged.Problems = texts(problems)
		return judged, nil
	}
	stored, err := apiextensions.GetSchemaForVersion(definition, "v1")
	if err != nil {
		return judged, err
	}
	props := stored.OpenAPIV3Schema
	structural, err := schema.NewStructural(props)
	if err != nil {
		return judged, err
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return judged, err
	}
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	for _, object := range asked.Objects {
		value := map[string]interface{}{}
		// The API machinery's own decoder: it keeps whole numbers apart from others.
		if err := json.Unmarshal(object, &value); err != nil {
			return judged, err
		}
		judged.Verdicts = append(judged.Verdicts, store(value, structural, validator, rules))
	}
	return judged, nil
}

// store does what the handler of custom resources does to an object that is created: decode, prune, default, validate.
func store(value map[string]interface{}, structural *schema.Structural, validator validation.SchemaValidator, rules *cel.Validator) verdict {
	pruning.Prune(value, structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(value, structural)
	if err := objectmeta.Coerce(nil, value, structural, false, false); err != nil {
		return verdict{Causes: []string{err.Error()}}
	}
	defaulting.Default(value, structural)
	errs := validation.ValidateCustomResource(nil, value, validator)
	errs = append(errs, objectmeta.Validate(nil, value, structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, value)...)
	if !blocking(errs) && rules != nil {
		found, _ := rules.Validate(context.Background(), nil, structural, value, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, found...)
	}
	return verdict{Causes: texts(errs), Stored: value}
}

// After these the server evaluates no rule.
func blocking(errs field.ErrorList) bool {
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}

func definitionAround(external apiextensionsv1.JSONSchemaProps) (*apiextensions.CustomResourceDefinition, error) {
	given := &apiextensionsv1.CustomResourceDefinition{}
	given.Name = "judged.features.example.com"
	given.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "features.example.com",
		Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: "Judged", Plural: "judged", Singular: "judged", ListKind: "JudgedList"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &external},
		}},
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(given)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&given.Spec)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(given, internal, nil); err != nil {
		return nil, err
	}
	internal.Status.StoredVersions = []string{"v1"}
	return internal, nil
}

func texts(errs field.ErrorList) []string {
	list := []string{}
	for _, err := range errs {
		list = append(list, err.Error())
	}
	return list
}
