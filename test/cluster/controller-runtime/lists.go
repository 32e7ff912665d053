package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/pager"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func listChecks(ctx context.Context, t *checks) error {
	typed := t.clientset().CoreV1().ConfigMaps(t.namespace())
	reader, err := t.client()
	if err != nil {
		return err
	}
	t.check(ctx, "set up", func(ctx context.Context) error {
		for index := range 25 {
			object := configMap(t.namespace(), fmt.Sprintf("item-%02d", index), nil)
			object.Labels = map[string]string{"parity": []string{"even", "odd"}[index%2], "made": "yes"}
			if _, err := typed.Create(ctx, object, metav1.CreateOptions{}); err != nil {
				return err
			}
		}
		return nil
	})
	t.check(ctx, "pages of one snapshot", func(ctx context.Context) error { return pages(ctx, t, reader) })
	t.check(ctx, "the pager", func(ctx context.Context) error {
		pages := 0
		through := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			pages++
			return typed.List(ctx, options)
		})
		through.PageSize = 4
		count := 0
		err := through.EachListItem(ctx, metav1.ListOptions{LabelSelector: "made"}, func(runtime.Object) error {
			count++
			return nil
		})
		t.see("%d items in %d pages", count, pages)
		return err
	})
	t.check(ctx, "selectors", func(ctx context.Context) error {
		in, err := labels.NewRequirement("parity", selection.In, []string{"odd", "none"})
		if err != nil {
			return err
		}
		for _, option := range []client.ListOption{
			client.MatchingLabels{"parity": "even"}, client.HasLabels{"parity"},
			client.MatchingLabelsSelector{Selector: labels.NewSelector().Add(*in)}, client.MatchingFields{"metadata.name": "item-03"},
		} {
			list := &corev1.ConfigMapList{}
			if err := reader.List(ctx, list, client.InNamespace(t.namespace()), option); err != nil {
				return err
			}
			t.see("%d", len(list.Items))
		}
		_, err = typed.List(ctx, metav1.ListOptions{FieldSelector: "data.key=x"})
		return t.refused(err, apierrors.IsBadRequest)
	})
	t.check(ctx, "resource versions of lists", func(ctx context.Context) error {
		now, err := typed.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, options := range []metav1.ListOptions{
			{ResourceVersion: "0"}, {ResourceVersion: now.ResourceVersion},
			{ResourceVersion: now.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact},
			{ResourceVersion: now.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan},
		} {
			list, err := typed.List(ctx, options)
			if err != nil {
				return err
			}
			t.see("%s %d", options.ResourceVersionMatch, len(list.Items))
		}
		_, err = typed.List(ctx, metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchExact})
		return t.refused(err, apierrors.IsInvalid)
	})
	t.check(ctx, "metadata alone", func(ctx context.Context) error {
		partial, err := metadata.NewForConfig(t.asProtobuf())
		if err != nil {
			return err
		}
		list, err := partial.Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace(t.namespace()).
			List(ctx, metav1.ListOptions{LabelSelector: "parity=odd"})
		if err != nil {
			return err
		}
		t.see("%d, first %s %v", len(list.Items), list.Items[0].Name, list.Items[0].Labels)
		object := &metav1.PartialObjectMetadata{}
		object.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
		if err := reader.Get(ctx, client.ObjectKey{Namespace: t.namespace(), Name: "item-04"}, object); err != nil {
			return err
		}
		before := object.DeepCopy()
		object.Labels["extra"] = "yes"
		if err := reader.Patch(ctx, object, client.MergeFrom(before)); err != nil {
			return err
		}
		t.see("%v", object.Labels)
		return nil
	})
	t.check(ctx, "a collection is deleted by labels", func(ctx context.Context) error {
		all := []client.DeleteAllOfOption{client.InNamespace(t.namespace()), client.MatchingLabels{"parity": "odd"}}
		if err := reader.DeleteAllOf(ctx, &corev1.ConfigMap{}, all...); err != nil {
			return err
		}
		left, err := typed.List(ctx, metav1.ListOptions{LabelSelector: "made"})
		if err != nil {
			return err
		}
		t.see("%d left", len(left.Items))
		err = typed.DeleteCollection(ctx, metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)}, metav1.ListOptions{})
		if err != nil {
			return err
		}
		left, err = typed.List(ctx, metav1.ListOptions{LabelSelector: "made"})
		if err != nil {
			return err
		}
		t.see("%d left", len(left.Items))
		return nil
	})
	return nil
}

// pages reads a list by pages while it changes: the pages show the state that the first one saw.
func pages(ctx context.Context, t *checks, reader client.Client) error {
	list := &corev1.ConfigMapList{}
	options := []client.ListOption{client.InNamespace(t.namespace()), client.Limit(10), client.HasLabels{"made"}}
	if err := reader.List(ctx, list, options...); err != nil {
		return err
	}
	version := list.ResourceVersion
	t.see("%d, %s, remaining known %v", len(list.Items), list.Items[9].Name, list.RemainingItemCount != nil)
	if err := reader.Delete(ctx, configMap(t.namespace(), "item-24", nil)); err != nil {
		return err
	}
	for list.Continue != "" {
		next := append([]client.ListOption{client.Continue(list.Continue)}, options...)
		list = &corev1.ConfigMapList{}
		if err := reader.List(ctx, list, next...); err != nil {
			return err
		}
		if err := expect("resource version", list.ResourceVersion, version); err != nil {
			return err
		}
		t.see("%d, last %s", len(list.Items), list.Items[len(list.Items)-1].Name)
	}
	return t.refused(reader.List(ctx, list, client.InNamespace(t.namespace()), client.Limit(10), client.Continue("e30")), apierrors.IsBadRequest)
}
