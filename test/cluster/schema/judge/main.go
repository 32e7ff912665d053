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
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// question is a schema of a whole custom resource, objects of it, and updates of objects.
type question struct {
	Schema  stdjson.RawMessage   `json:"schema"`
	Objects []stdjson.RawMessage `json:"objects"`
	Changes []change             `json:"changes"`
}

type change struct {
	Old    stdjson.RawMessage `json:"old"`
	Object stdjson.RawMessage `json:"object"`
}

type answer struct {
	// Problems of the schema; with any of them no object is judged.
	Problems []string  `json:"problems"`
	Verdicts []verdict `json:"verdicts"`
	// Verdicts of the changes.
	Changes []verdict `json:"changes"`
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
	judged := answer{Problems: []string{}, Verdicts: []verdict{}, Changes: []verdict{}}
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
	handler := handler{structural: structural, validator: validator, rules: rules}
	for _, object := range asked.Objects {
		created, err := handler.create(object)
		if err != nil {
			return judged, err
		}
		judged.Verdicts = append(judged.Verdicts, created)
	}
	for _, asked := range asked.Changes {
		updated, err := handler.update(asked)
		if err != nil {
			return judged, err
		}
		judged.Changes = append(judged.Changes, updated)
	}
	return judged, nil
}

// handler does what the handler of custom resources does to an object: decode, prune, default, validate.
type handler struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
}

func (h handler) create(object []byte) (verdict, error) {
	value, problem, err := h.receive(object)
	if err != nil || problem != "" {
		return verdict{Causes: []string{problem}}, err
	}
	errs := validation.ValidateCustomResource(nil, value, h.validator)
	errs = append(errs, objectmeta.Validate(context.Background(), nil, value, h.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, h.structural, value)...)
	if !blocking(errs) && h.rules != nil {
		found, _ := h.rules.Validate(context.Background(), nil, h.structural, value, nil, celconfig.RuntimeCELCostBudget)
		errs = append(errs, found...)
	}
	return verdict{Causes: texts(errs), Stored: value}, nil
}

// update does what ValidateUpdate of the strategy of custom resources does, ratcheting too.
func (h handler) update(asked change) (verdict, error) {
	old, _, err := h.receive(asked.Old)
	if err != nil {
		return verdict{}, err
	}
	value, problem, err := h.receive(asked.Object)
	if err != nil || problem != "" {
		return verdict{Causes: []string{problem}}, err
	}
	correlated := common.NewCorrelatedObject(value, old, &model.Structural{Structural: h.structural})
	errs := validation.ValidateCustomResourceUpdate(nil, value, old, h.validator, validation.WithRatcheting(correlated))
	errs = append(errs, objectmeta.Validate(context.Background(), nil, value, h.structural, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, h.structural, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, h.structural, value)...)
	}
	if !blocking(errs) && h.rules != nil {
		found, _ := h.rules.Validate(context.Background(), nil, h.structural, value, old, celconfig.RuntimeCELCostBudget, cel.WithRatcheting(correlated))
		errs = append(errs, found...)
	}
	return verdict{Causes: texts(errs), Stored: value}, nil
}

func (h handler) receive(object []byte) (value map[string]interface{}, problem string, err error) {
	value = map[string]interface{}{}
	// The API machinery's own decoder: it keeps whole numbers apart from others.
	if err := json.Unmarshal(object, &value); err != nil {
		return nil, "", err
	}
	pruning.Prune(value, h.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(value, h.structural)
	if err := objectmeta.Coerce(nil, value, h.structural, false, false); err != nil {
		return value, err.Error(), nil
	}
	defaulting.Default(value, h.structural)
	return value, "", nil
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
