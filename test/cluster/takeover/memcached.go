package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var cacheV1alpha1 = schema.GroupVersion{Group: "cache.example.com", Version: "v1alpha1"}

// Memcached is the kind that tutorials of operators begin with.
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              MemcachedSpec   `json:"spec,omitzero"`
	Status            MemcachedStatus `json:"status,omitzero"`
}

type MemcachedSpec struct {
	Size          int32 `json:"size,omitempty"`
	ContainerPort int32 `json:"containerPort,omitempty"`
}

type MemcachedStatus struct {
	Nodes      []string           `json:"nodes,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type MemcachedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Memcached `json:"items"`
}

func addMemcacheds(all *runtime.Scheme) error {
	all.AddKnownTypes(cacheV1alpha1, &Memcached{}, &MemcachedList{})
	metav1.AddToGroupVersion(all, cacheV1alpha1)
	return nil
}

func (in *Memcached) deepCopy() *Memcached {
	out := &Memcached{TypeMeta: in.TypeMeta, ObjectMeta: *in.ObjectMeta.DeepCopy(), Spec: in.Spec}
	out.Status.Nodes = append([]string(nil), in.Status.Nodes...)
	for _, condition := range in.Status.Conditions {
		out.Status.Conditions = append(out.Status.Conditions, *condition.DeepCopy())
	}
	return out
}

func (in *Memcached) DeepCopyObject() runtime.Object { return in.deepCopy() }

func (in *MemcachedList) DeepCopyObject() runtime.Object {
	out := &MemcachedList{TypeMeta: in.TypeMeta, ListMeta: *in.ListMeta.DeepCopy()}
	for index := range in.Items {
		out.Items = append(out.Items, *in.Items[index].deepCopy())
	}
	return out
}
