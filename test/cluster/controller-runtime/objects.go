package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func asStatus(err error, status *apierrors.APIStatus) bool { return errors.As(err, status) }

func deployment(namespace, name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(int32(2)),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "nginx", Ports: []corev1.ContainerPort{{ContainerPort: 80}}}}},
			},
		},
	}
}

func objectChecks(ctx context.Context, t *checks) error {
	typed := t.clientset()
	writer, err := t.client()
	if err != nil {
		return err
	}
	space := t.namespace()
	t.check(ctx, "a Deployment is defaulted and read the same by two clients", func(ctx context.Context) error {
		made, err := typed.AppsV1().Deployments(space).Create(ctx, deployment(space, "web"), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		container := made.Spec.Template.Spec.Containers[0]
		t.see("%s %s %s %d", container.ImagePullPolicy, made.Spec.Strategy.Type, made.Spec.Strategy.RollingUpdate.MaxSurge, *made.Spec.RevisionHistoryLimit)
		read := &appsv1.Deployment{}
		if err := writer.Get(ctx, client.ObjectKeyFromObject(made), read); err != nil {
			return err
		}
		return expect("resource version", read.ResourceVersion, made.ResourceVersion)
	})
	t.check(ctx, "refusals are told apart", func(ctx context.Context) error { return refusals(ctx, t, writer) })
	t.check(ctx, "writers that retry on conflict lose nothing", func(ctx context.Context) error {
		return concurrentWriters(ctx, typed, space)
	})
	t.check(ctx, "CreateOrUpdate", func(ctx context.Context) error { return createOrUpdate(ctx, t, writer) })
	return nil
}

// concurrentWriters count up the same number, each from what it read.
func concurrentWriters(ctx context.Context, typed kubernetes.Interface, space string) error {
	const writers, rounds = 8, 5
	api := typed.CoreV1().ConfigMaps(space)
	if _, err := api.Create(ctx, configMap(space, "counter", map[string]string{"count": ""}), metav1.CreateOptions{}); err != nil {
		return err
	}
	backoff := retry.DefaultBackoff
	backoff.Steps = 200
	backoff.Cap = 0
	backoff.Factor = 1
	failures := make(chan error, writers*rounds)
	var all sync.WaitGroup
	for range writers {
		all.Add(1)
		go func() {
			defer all.Done()
			for range rounds {
				failures <- retry.RetryOnConflict(backoff, func() error {
					found, err := api.Get(ctx, "counter", metav1.GetOptions{})
					if err != nil {
						return err
					}
					found.Data["count"] += "x"
					_, err = api.Update(ctx, found, metav1.UpdateOptions{})
					return err
				})
			}
		}()
	}
	all.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			return err
		}
	}
	found, err := api.Get(ctx, "counter", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect("count", len(found.Data["count"]), writers*rounds)
}

func refusals(ctx context.Context, t *checks, writer client.Client) error {
	space := t.namespace()
	stale := deployment(space, "web")
	stale.ResourceVersion = "1"
	noImage := deployment(space, "broken")
	noImage.Spec.Template.Spec.Containers[0].Image = ""
	noImage.Spec.Replicas = ptr.To(int32(-1))
	for _, each := range []struct {
		err        error
		isExpected func(error) bool
	}{
		{writer.Get(ctx, types.NamespacedName{Namespace: space, Name: "absent"}, &appsv1.Deployment{}), apierrors.IsNotFound},
		{writer.Create(ctx, deployment(space, "web")), apierrors.IsAlreadyExists},
		{writer.Create(ctx, noImage), apierrors.IsInvalid},
		{writer.Update(ctx, stale), apierrors.IsConflict},
		{writer.Create(ctx, &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "x"}}), func(error) bool { return true }},
	} {
		if err := t.refused(each.err, each.isExpected); err != nil {
			return err
		}
	}
	return nil
}

func createOrUpdate(ctx context.Context, t *checks, writer client.Client) error {
	for _, value := range []string{"a", "a", "b"} {
		object := configMap(t.namespace(), "desired", nil)
		outcome, err := controllerutil.CreateOrUpdate(ctx, writer, object, func() error {
			object.Data = map[string]string{"key": value}
			return nil
		})
		if err != nil {
			return err
		}
		t.see("%s", outcome)
	}
	owner := configMap(t.namespace(), "owner", nil)
	if err := writer.Create(ctx, owner); err != nil {
		return err
	}
	object := configMap(t.namespace(), "desired", nil)
	outcome, err := controllerutil.CreateOrPatch(ctx, writer, object, func() error {
		return controllerutil.SetControllerReference(owner, object, runtime.NewScheme())
	})
	if err == nil {
		return fmt.Errorf("a scheme without kinds was used: %s", outcome)
	}
	outcome, err = controllerutil.CreateOrPatch(ctx, writer, object, func() error { return controllerutil.SetControllerReference(owner, object, scheme) })
	t.see("%s", outcome)
	return err
}
