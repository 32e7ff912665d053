package main

import (
	"fmt"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

const widgetGroup = "go.keelson.test"

var (
	widgetsV1      = schema.GroupVersion{Group: widgetGroup, Version: "v1"}
	widgetsV1alpha = schema.GroupVersion{Group: widgetGroup, Version: "v1alpha1"}
)

// Widget is the custom resource of the operator under test, in its storage version.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Replicas *int32 `json:"replicas,omitempty"`
	Image    string `json:"image"`
	Color    string `json:"color,omitempty"`
}

type WidgetStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Replicas           int32              `json:"replicas,omitempty"`
	Selector           string             `json:"selector,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// OldWidget is version v1alpha1: it spells the number of replicas as a string.
type OldWidget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OldWidgetSpec `json:"spec"`
	Status            WidgetStatus  `json:"status,omitempty"`
}

type OldWidgetSpec struct {
	Size  string `json:"size,omitempty"`
	Image string `json:"image"`
	Color string `json:"color,omitempty"`
}

type OldWidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []OldWidget `json:"items"`
}

func addWidgets(all *runtime.Scheme) error {
	all.AddKnownTypes(widgetsV1, &Widget{}, &WidgetList{})
	all.AddKnownTypeWithName(widgetsV1alpha.WithKind("Widget"), &OldWidget{})
	all.AddKnownTypeWithName(widgetsV1alpha.WithKind("WidgetList"), &OldWidgetList{})
	metav1.AddToGroupVersion(all, widgetsV1)
	metav1.AddToGroupVersion(all, widgetsV1alpha)
	return nil
}

// Hub marks the version through which all conversions go.
func (*Widget) Hub() {}

func (old *OldWidget) ConvertTo(hub conversion.Hub) error {
	widget := hub.(*Widget)
	widget.ObjectMeta, widget.Status = old.ObjectMeta, old.Status
	widget.Spec = WidgetSpec{Image: old.Spec.Image, Color: old.Spec.Color}
	if old.Spec.Size == "" {
		return nil
	}
	size, err := strconv.ParseInt(old.Spec.Size, 10, 32)
	if err != nil {
		return fmt.Errorf("size %q is no number", old.Spec.Size)
	}
	widget.Spec.Replicas = ptr.To(int32(size))
	return nil
}

func (old *OldWidget) ConvertFrom(hub conversion.Hub) error {
	widget := hub.(*Widget)
	old.ObjectMeta, old.Status = widget.ObjectMeta, widget.Status
	old.Spec = OldWidgetSpec{Image: widget.Spec.Image, Color: widget.Spec.Color}
	if widget.Spec.Replicas != nil {
		old.Spec.Size = strconv.Itoa(int(*widget.Spec.Replicas))
	}
	return nil
}

// widgetDefinition is the CRD of one version, without conversion: what most groups of checks need. Each has its own, of the given API group's prefix.
func widgetDefinition(prefix string) *apiextensionsv1.CustomResourceDefinition {
	apiGroup := widgetGroup
	if prefix != "" {
		apiGroup = prefix + "." + widgetGroup
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets." + apiGroup},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: apiGroup,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList", ShortNames: []string{"wd"}, Categories: []string{"all"},
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{
				widgetVersion("v1", true, apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int32", Minimum: ptr.To(0.0)}),
			},
		},
	}
}

func widgetVersion(name string, isStored bool, size apiextensionsv1.JSONSchemaProps) apiextensionsv1.CustomResourceDefinitionVersion {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	number := apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int64"}
	sizeName := "replicas"
	if !isStored {
		sizeName = "size"
	}
	spec := apiextensionsv1.JSONSchemaProps{
		Type: "object", Required: []string{"image"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"image": text, "color": text, sizeName: size},
		XValidations: apiextensionsv1.ValidationRules{
			{Rule: "!has(self.color) || self.color != 'invisible'", Message: "a widget must be seen"},
		},
	}
	condition := apiextensionsv1.JSONSchemaProps{
		Type: "object", Required: []string{"type", "status", "lastTransitionTime", "reason", "message"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"type": text, "status": text, "reason": text, "message": text, "observedGeneration": number,
			"lastTransitionTime": {Type: "string", Format: "date-time"},
		},
	}
	status := apiextensionsv1.JSONSchemaProps{
		Type: "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"observedGeneration": number, "replicas": {Type: "integer", Format: "int32"}, "selector": text,
			"conditions": {
				Type: "array", XListType: ptr.To("map"), XListMapKeys: []string{"type"},
				Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &condition},
			},
		},
	}
	// Not of both versions: Kubernetes 1.34 refuses equal lists of versions whose schemas differ.
	var selectable []apiextensionsv1.SelectableField
	if isStored {
		selectable = []apiextensionsv1.SelectableField{{JSONPath: ".spec.color"}}
	}
	subresources := &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
	if isStored {
		subresources.Scale = &apiextensionsv1.CustomResourceSubresourceScale{
			SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas", LabelSelectorPath: ptr.To(".status.selector"),
		}
	}
	return apiextensionsv1.CustomResourceDefinitionVersion{
		Name: name, Served: true, Storage: isStored, Subresources: subresources, SelectableFields: selectable,
		AdditionalPrinterColumns: []apiextensionsv1.CustomResourceColumnDefinition{{Name: "Image", Type: "string", JSONPath: ".spec.image"}},
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
			Type: "object", Required: []string{"spec"}, Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec, "status": status},
		}},
	}
}

func (widget *Widget) DeepCopyObject() runtime.Object {
	copied := &Widget{TypeMeta: widget.TypeMeta, Spec: widget.Spec, Status: copyStatus(widget.Status)}
	widget.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	if widget.Spec.Replicas != nil {
		copied.Spec.Replicas = ptr.To(*widget.Spec.Replicas)
	}
	return copied
}

func (list *WidgetList) DeepCopyObject() runtime.Object {
	copied := &WidgetList{TypeMeta: list.TypeMeta, ListMeta: *list.ListMeta.DeepCopy()}
	for index := range list.Items {
		copied.Items = append(copied.Items, *list.Items[index].DeepCopyObject().(*Widget))
	}
	return copied
}

func (old *OldWidget) DeepCopyObject() runtime.Object {
	copied := &OldWidget{TypeMeta: old.TypeMeta, Spec: old.Spec, Status: copyStatus(old.Status)}
	old.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return copied
}

func (list *OldWidgetList) DeepCopyObject() runtime.Object {
	copied := &OldWidgetList{TypeMeta: list.TypeMeta, ListMeta: *list.ListMeta.DeepCopy()}
	for index := range list.Items {
		copied.Items = append(copied.Items, *list.Items[index].DeepCopyObject().(*OldWidget))
	}
	return copied
}

func copyStatus(status WidgetStatus) WidgetStatus {
	conditions := status.Conditions
	status.Conditions = nil
	for index := range conditions {
		status.Conditions = append(status.Conditions, *conditions[index].DeepCopy())
	}
	return status
}
