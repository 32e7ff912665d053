package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var websitesV1 = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}

// Website is the custom resource of the benchmark; its CRD is the one that the other operator's definition makes.
type Website struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WebsiteSpec   `json:"spec,omitzero"`
	Status            WebsiteStatus `json:"status,omitzero"`
}

type WebsiteSpec struct {
	Title    string `json:"title,omitempty"`
	Replicas int32  `json:"replicas,omitempty"`
}

type WebsiteStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Replicas           int32              `json:"replicas"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WebsiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Website `json:"items"`
}

func addWebsites(all *runtime.Scheme) error {
	all.AddKnownTypes(websitesV1, &Website{}, &WebsiteList{})
	metav1.AddToGroupVersion(all, websitesV1)
	return nil
}

func (w *Website) DeepCopyObject() runtime.Object {
	return w.deepCopy()
}

func (w *Website) deepCopy() *Website {
	copied := &Website{TypeMeta: w.TypeMeta, Spec: w.Spec, Status: w.Status}
	w.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Status.Conditions = nil
	for index := range w.Status.Conditions {
		copied.Status.Conditions = append(copied.Status.Conditions, *w.Status.Conditions[index].DeepCopy())
	}
	return copied
}

func (l *WebsiteList) DeepCopyObject() runtime.Object {
	copied := &WebsiteList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for index := range l.Items {
		copied.Items = append(copied.Items, *l.Items[index].deepCopy())
	}
	return copied
}
