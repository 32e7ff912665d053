package main

import (
	"context"
	"errors"
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// warningsSeen notes warnings as a client hears them.
type warningsSeen struct{ t *checks }

func (seen warningsSeen) HandleWarningHeaderWithContext(_ context.Context, code int, _ string, text string) {
	seen.t.see("warning %d: %s", code, text)
}

func webhookChecks(ctx context.Context, t *checks) error {
	running, err := startOperator(ctx, t)
	if err != nil {
		return err
	}
	config := rest.CopyConfig(t.config)
	config.WarningHandlerWithContext = warningsSeen{t}
	writer, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return err
	}
	space := t.namespace()
	t.check(ctx, "a widget is defaulted", func(ctx context.Context) error {
		widget := newWidget(space, "plain")
		widget.Spec.Replicas = nil
		if err := writer.Create(ctx, widget, client.DryRunAll); err != nil {
			return err
		}
		t.see("%s %d", widget.Spec.Color, *widget.Spec.Replicas)
		return nil
	})
	t.check(ctx, "a widget is judged", func(ctx context.Context) error {
		tooMany := newWidget(space, "many")
		tooMany.Spec.Replicas = ptr.To(int32(101))
		if err := t.refused(writer.Create(ctx, tooMany), apierrors.IsForbidden); err != nil {
			return err
		}
		widget := newWidget(space, "judged")
		widget.Spec.Color = "black"
		if err := writer.Create(ctx, widget); err != nil {
			return err
		}
		err := until(ctx, "the image to be refused", func(ctx context.Context) (bool, error) {
			if err := writer.Get(ctx, client.ObjectKeyFromObject(widget), widget); err != nil {
				return false, err
			}
			widget.Spec.Image = "other"
			err := writer.Update(ctx, widget)
			// The reconciler writes, too.
			if apierrors.IsConflict(err) {
				return false, nil
			}
			return true, t.refused(err, apierrors.IsForbidden)
		})
		return err
	})
	t.check(ctx, "a deletion is judged", func(ctx context.Context) error {
		widget := newWidget(space, "treasure")
		widget.Spec.Color = "gold"
		if err := writer.Create(ctx, widget); err != nil {
			return err
		}
		return t.refused(writer.Delete(ctx, widget), apierrors.IsForbidden)
	})
	t.check(ctx, "versions are converted", func(ctx context.Context) error { return converted(ctx, t, writer) })
	t.check(ctx, "what cannot be converted is refused", func(ctx context.Context) error {
		old := &OldWidget{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "odd"}, Spec: OldWidgetSpec{Image: "nginx", Size: "many"}}
		return t.refused(writer.Create(ctx, old), func(error) bool { return true })
	})
	t.check(ctx, "a webhook that cannot be reached", func(ctx context.Context) error {
		// Widgets go with their finalizers, or the definition could not go.
		patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"color":"grey"}}`))
		if err := writer.Patch(ctx, newWidget(space, "treasure"), patch); err != nil {
			return err
		}
		if err := writer.DeleteAllOf(ctx, &Widget{}, client.InNamespace(space)); err != nil {
			return err
		}
		return widgetsGone(ctx, writer, space)
	})
	t.check(ctx, "the manager ends", func(context.Context) error { return running.stop() })
	return nil
}

func converted(ctx context.Context, t *checks, writer client.Client) error {
	space := t.namespace()
	old := &OldWidget{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "old"}, Spec: OldWidgetSpec{Image: "nginx", Size: "7"}}
	if err := writer.Create(ctx, old); err != nil {
		return err
	}
	t.see("created with size %s, color %s", old.Spec.Size, old.Spec.Color)
	widget := &Widget{}
	if err := writer.Get(ctx, client.ObjectKeyFromObject(old), widget); err != nil {
		return err
	}
	t.see("%d replicas", *widget.Spec.Replicas)
	if err := writer.Patch(ctx, old, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"size":"8"}}`))); err != nil {
		return err
	}
	t.see("patched to size %s", old.Spec.Size)
	list := oldWidgets()
	if err := writer.List(ctx, list, client.InNamespace(space)); err != nil {
		return err
	}
	for _, item := range list.Items {
		t.see("%s %s %v", item.GetAPIVersion(), item.GetName(), item.Object["spec"])
	}
	return nil
}

func managerChecks(ctx context.Context, t *checks) error {
	running, err := startOperator(ctx, t)
	if err != nil {
		return err
	}
	space, writer, cached := t.namespace(), running.writer, running.manager.GetClient()
	widget := newWidget(space, "one")
	t.check(ctx, "a widget is reconciled", func(ctx context.Context) error {
		if err := writer.Create(ctx, widget); err != nil {
			return err
		}
		if err := t.awaitStatus(ctx, writer, widget, "Waiting"); err != nil {
			return err
		}
		workload, settings := &appsv1.Deployment{}, &corev1.ConfigMap{}
		if err := writer.Get(ctx, client.ObjectKeyFromObject(widget), workload); err != nil {
			return err
		}
		if err := writer.Get(ctx, client.ObjectKeyFromObject(widget), settings); err != nil {
			return err
		}
		t.see("%d replicas of %s, %v", *workload.Spec.Replicas, workload.Spec.Template.Spec.Containers[0].Image, settings.Data)
		t.see("%s", managersOf(workload))
		return nil
	})
	t.check(ctx, "drift is mended", func(ctx context.Context) error {
		if err := writer.Delete(ctx, configMap(space, "one", nil)); err != nil {
			return err
		}
		return until(ctx, "the ConfigMap to be back", func(ctx context.Context) (bool, error) {
			err := writer.Get(ctx, client.ObjectKeyFromObject(widget), &corev1.ConfigMap{})
			return err == nil, client.IgnoreNotFound(err)
		})
	})
	t.check(ctx, "the status follows what is owned", func(ctx context.Context) error {
		workload := &appsv1.Deployment{}
		if err := writer.Get(ctx, client.ObjectKeyFromObject(widget), workload); err != nil {
			return err
		}
		workload.Status.Replicas, workload.Status.ReadyReplicas = 2, 2
		if err := writer.Status().Update(ctx, workload); err != nil {
			return err
		}
		return t.awaitStatus(ctx, writer, widget, "Ready")
	})
	t.check(ctx, "events", func(ctx context.Context) error { return t.awaitEvents(ctx, writer) })
	t.check(ctx, "the cache answers by index", func(ctx context.Context) error {
		blue := newWidget(space, "two")
		blue.Spec.Color = "blue"
		if err := writer.Create(ctx, blue); err != nil {
			return err
		}
		return until(ctx, "the cache to know", func(ctx context.Context) (bool, error) {
			list := &WidgetList{}
			err := cached.List(ctx, list, client.InNamespace(space), client.MatchingFields{colorIndex: "blue"})
			return len(list.Items) == 1 && list.Items[0].Name == "two", err
		})
	})
	t.check(ctx, "the cache answers with unstructured objects and metadata", func(ctx context.Context) error {
		list := oldWidgets()
		if err := cached.List(ctx, list, client.InNamespace(space)); err != nil {
			return err
		}
		for _, item := range list.Items {
			t.see("%s %v", item.GetName(), item.Object["spec"])
		}
		partial := &metav1.PartialObjectMetadataList{}
		partial.SetGroupVersionKind(widgetsV1.WithKind("WidgetList"))
		if err := cached.List(ctx, partial, client.InNamespace(space)); err != nil {
			return err
		}
		t.see("%d", len(partial.Items))
		sort.Strings(t.saw)
		return nil
	})
	t.check(ctx, "a widget is scaled", func(ctx context.Context) error { return t.scaled(ctx, writer, widget) })
	t.check(ctx, "a widget goes when its finalizer is gone", func(ctx context.Context) error {
		if err := writer.DeleteAllOf(ctx, &Widget{}, client.InNamespace(space)); err != nil {
			return err
		}
		return widgetsGone(ctx, writer, space)
	})
	t.check(ctx, "a stopped manager has released its lease", func(ctx context.Context) error { return errors.Join(running.stop(), t.leaseReleased(ctx)) })
	return nil
}

func (t *checks) awaitStatus(ctx context.Context, reader client.Reader, widget *Widget, reason string) error {
	err := until(ctx, "the status "+reason, func(ctx context.Context) (bool, error) {
		err := reader.Get(ctx, client.ObjectKeyFromObject(widget), widget)
		condition := apimeta.FindStatusCondition(widget.Status.Conditions, "Ready")
		return condition != nil && condition.Reason == reason && condition.ObservedGeneration == widget.Generation, err
	})
	if err != nil {
		return fmt.Errorf("%w; last seen %+v", err, widget.Status)
	}
	condition := widget.Status.Conditions[0]
	t.see("%s %s %s, %d replicas, finalizers %v", condition.Status, condition.Reason, condition.Message, widget.Status.Replicas, widget.Finalizers)
	return nil
}

func (t *checks) awaitEvents(ctx context.Context, reader client.Reader) error {
	return until(ctx, "the events", func(ctx context.Context) (bool, error) {
		events := &corev1.EventList{}
		err := reader.List(ctx, events, client.InNamespace(t.namespace()), client.MatchingFields{"involvedObject.kind": "Widget"})
		if err != nil || len(events.Items) < 2 {
			return false, err
		}
		for _, event := range events.Items {
			// How often depends on what the cache knew when: equal events are one with a count.
			t.see("%s %s %s %s", event.Type, event.Reason, event.Message, event.Source.Component)
		}
		sort.Strings(t.saw)
		return true, nil
	})
}

func (t *checks) scaled(ctx context.Context, writer client.Client, widget *Widget) error {
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"replicas":3}}`))
	scale := &autoscalingv1.Scale{}
	if err := writer.SubResource("scale").Patch(ctx, widget, patch, client.WithSubResourceBody(scale)); err != nil {
		return err
	}
	t.see("%d, selector %s", scale.Spec.Replicas, scale.Status.Selector)
	return until(ctx, "three replicas", func(ctx context.Context) (bool, error) {
		workload := &appsv1.Deployment{}
		err := writer.Get(ctx, client.ObjectKeyFromObject(widget), workload)
		return err == nil && *workload.Spec.Replicas == 3, err
	})
}

func (t *checks) leaseReleased(ctx context.Context) error {
	lease, err := t.clientset().CoordinationV1().Leases(t.namespace()).Get(ctx, "widgets", metav1.GetOptions{})
	if err != nil {
		return err
	}
	t.see("held by %q", ptr.Deref(lease.Spec.HolderIdentity, ""))
	return nil
}
