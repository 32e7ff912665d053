package main

import (
	"context"
	"fmt"
	"regexp"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func patchChecks(ctx context.Context, t *checks) error {
	writer, err := t.client()
	if err != nil {
		return err
	}
	object := deployment(t.namespace(), "web")
	t.check(ctx, "set up", func(ctx context.Context) error { return writer.Create(ctx, object) })
	for _, each := range []struct {
		name  string
		patch client.Patch
	}{
		{"JSON patch", client.RawPatch(types.JSONPatchType, []byte(`[{"op":"test","path":"/spec/replicas","value":2},{"op":"replace","path":"/spec/replicas","value":3}]`))},
		{"merge patch", client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"app":null,"tier":"front"}}}`))},
		{"strategic merge patch", client.RawPatch(types.StrategicMergePatchType,
			[]byte(`{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}`))},
	} {
		t.check(ctx, each.name, func(ctx context.Context) error {
			if err := writer.Patch(ctx, object, each.patch); err != nil {
				return err
			}
			t.see("%d replicas, labels %v, generation %d", *object.Spec.Replicas, object.Labels, object.Generation)
			for _, container := range object.Spec.Template.Spec.Containers {
				t.see("%s %s %s", container.Name, container.Image, container.ImagePullPolicy)
			}
			return nil
		})
	}
	t.check(ctx, "patches made of differences", func(ctx context.Context) error {
		before := object.DeepCopy()
		object.Annotations = map[string]string{"note": "one"}
		if err := writer.Patch(ctx, object, client.MergeFrom(before)); err != nil {
			return err
		}
		stale := before.DeepCopy()
		stale.Annotations = map[string]string{"note": "two"}
		err := writer.Patch(ctx, stale, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
		if err := t.refused(err, apierrors.IsConflict); err != nil {
			return err
		}
		before = object.DeepCopy()
		object.Spec.Template.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "A", Value: "1"}}
		if err := writer.Patch(ctx, object, client.StrategicMergeFrom(before)); err != nil {
			return err
		}
		t.see("%v", object.Spec.Template.Spec.Containers[0].Env)
		return nil
	})
	return nil
}

func applyChecks(ctx context.Context, t *checks) error {
	typed := t.clientset().AppsV1().Deployments(t.namespace())
	writer, err := t.client()
	if err != nil {
		return err
	}
	labels := map[string]string{"app": "web"}
	desired := func(image string) *appsapply.DeploymentApplyConfiguration {
		container := coreapply.Container().WithName("main").WithImage(image)
		template := coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(coreapply.PodSpec().WithContainers(container))
		selector := metaapply.LabelSelector().WithMatchLabels(labels)
		return appsapply.Deployment("web", t.namespace()).WithSpec(appsapply.DeploymentSpec().WithSelector(selector).WithTemplate(template))
	}
	t.check(ctx, "typed apply", func(ctx context.Context) error {
		applied, err := typed.Apply(ctx, desired("nginx:1").WithLabels(labels), metav1.ApplyOptions{FieldManager: "first"})
		if err != nil {
			return err
		}
		t.see("%s", managersOf(applied))
		again, err := typed.Apply(ctx, desired("nginx:1").WithLabels(labels), metav1.ApplyOptions{FieldManager: "first"})
		if err != nil {
			return err
		}
		return expect("resource version after the same again", again.ResourceVersion, applied.ResourceVersion)
	})
	t.check(ctx, "conflicts, and force", func(ctx context.Context) error {
		_, err := typed.Apply(ctx, desired("nginx:2"), metav1.ApplyOptions{FieldManager: "second"})
		if err := t.refused(err, apierrors.IsConflict); err != nil {
			return err
		}
		applied, err := typed.Apply(ctx, desired("nginx:2"), metav1.ApplyOptions{FieldManager: "second", Force: true})
		if err != nil {
			return err
		}
		t.see("%s %s", applied.Spec.Template.Spec.Containers[0].Image, managersOf(applied))
		return nil
	})
	t.check(ctx, "what a manager applied can be extracted", func(ctx context.Context) error {
		found, err := typed.Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		extracted, err := appsapply.ExtractDeployment(found, "second")
		if err != nil {
			return err
		}
		t.see("%s", *extracted.Spec.Template.Spec.Containers[0].Image)
		return nil
	})
	t.check(ctx, "apply of controller-runtime", func(ctx context.Context) error {
		configuration := coreapply.ConfigMap("applied", t.namespace()).WithData(map[string]string{"a": "1"})
		if err := writer.Apply(ctx, configuration, client.FieldOwner("operator"), client.ForceOwnership); err != nil {
			return err
		}
		object := configMap(t.namespace(), "applied", map[string]string{"b": "2"})
		object.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
		if err := writer.Patch(ctx, object, client.Apply, client.FieldOwner("another")); err != nil {
			return err
		}
		t.see("%v %s", object.Data, managersOf(object))
		return nil
	})
	return nil
}

var uids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// managersOf is who owns what: everything of managedFields but the times, the uids of owners, and the order, which follows from the times.
func managersOf(object client.Object) string {
	var lines []string
	for _, entry := range object.GetManagedFields() {
		line := fmt.Sprintf("%s %s %s %s %s", entry.Operation, entry.Manager, entry.APIVersion, entry.Subresource, entry.FieldsV1.Raw)
		lines = append(lines, uids.ReplaceAllString(line, "uid"))
	}
	sort.Strings(lines)
	return strings.Join(lines, "; ")
}
