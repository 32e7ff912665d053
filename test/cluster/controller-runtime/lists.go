package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/pager"
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
	return nil
}
