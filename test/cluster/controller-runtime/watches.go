package main

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	clientgofeatures "k8s.io/client-go/features"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/utils/ptr"
)

// framesOf notes the next frames of a watch by type, name and labels.
func (t *checks) framesOf(ctx context.Context, frames watch.Interface, count int) error {
	for index := range count {
		select {
		case event, isOpen := <-frames.ResultChan():
			if !isOpen {
				return fmt.Errorf("the watch ended after %d of %d events", index, count)
			}
			object, isObject := event.Object.(metav1.Object)
			if !isObject {
				return fmt.Errorf("%s: %v", event.Type, event.Object)
			}
			t.see("%s %s %v %v", event.Type, object.GetName(), object.GetLabels(), object.GetAnnotations())
		case <-ctx.Done():
			return fmt.Errorf("event %d of %d did not come", index+1, count)
		}
	}
	return nil
}

func watchChecks(ctx context.Context, t *checks) error {
	typed := t.clientset().CoreV1().ConfigMaps(t.namespace())
	t.check(ctx, "objects come into a selector's sight and leave it", func(ctx context.Context) error {
		list, err := typed.List(ctx, metav1.ListOptions{LabelSelector: "shown=yes"})
		if err != nil {
			return err
		}
		frames, err := typed.Watch(ctx, metav1.ListOptions{LabelSelector: "shown=yes", ResourceVersion: list.ResourceVersion})
		if err != nil {
			return err
		}
		defer frames.Stop()
		object, err := typed.Create(ctx, configMap(t.namespace(), "seen", nil), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		for _, shown := range []map[string]string{{"shown": "yes"}, {"shown": "yes", "more": "1"}, {"shown": "no"}, {"shown": "yes"}} {
			object.Labels = shown
			if object, err = typed.Update(ctx, object, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		if err := typed.Delete(ctx, object.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
		return t.framesOf(ctx, frames, 5)
	})
	t.check(ctx, "a watch that is retried goes on where it was", func(ctx context.Context) error {
		list, err := typed.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		short := func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.TimeoutSeconds = ptr.To(int64(1))
			return typed.Watch(ctx, options)
		}
		frames, err := watchtools.NewRetryWatcherWithContext(ctx, list.ResourceVersion, &cache.ListWatch{WatchFuncWithContext: short})
		if err != nil {
			return err
		}
		defer frames.Stop()
		for index := range 4 {
			if _, err := typed.Create(ctx, configMap(t.namespace(), fmt.Sprintf("later-%d", index), nil), metav1.CreateOptions{}); err != nil {
				return err
			}
			// Longer than each watch lives: the next object is made while none is on.
			time.Sleep(600 * time.Millisecond)
		}
		return t.framesOf(ctx, frames, 4)
	})
	t.check(ctx, "120 watches at once, over HTTP/2", func(ctx context.Context) error {
		return manyWatches(ctx, t, nil, 2)
	})
	t.check(ctx, "120 watches at once, over HTTP/1.1", func(ctx context.Context) error {
		return manyWatches(ctx, t, []string{"http/1.1"}, 1)
	})
	return nil
}

func informerChecks(ctx context.Context, t *checks) error {
	definitions, err := apiextensions.NewForConfig(t.config)
	if err != nil {
		return err
	}
	definition := widgetDefinition("informers")
	t.check(ctx, "set up", func(ctx context.Context) error {
		if _, err := definitions.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, definition, metav1.CreateOptions{}); err != nil {
			return err
		}
		return until(ctx, "the definition to be established", func(ctx context.Context) (bool, error) {
			return isEstablished(ctx, definitions, definition.Name)
		})
	})
	dynamicClient, err := dynamic.NewForConfig(t.config)
	if err != nil {
		return err
	}
	partial, err := metadata.NewForConfig(t.asProtobuf())
	if err != nil {
		return err
	}
	widgets := widgetsV1.WithResource("widgets")
	widgets.Group = definition.Spec.Group
	maps, deployments := corev1.SchemeGroupVersion.WithResource("configmaps"), appsv1.SchemeGroupVersion.WithResource("deployments")
	t.check(ctx, "typed, dynamic and metadata informers see what happens", func(ctx context.Context) error {
		t.see("streaming lists: %v", clientgofeatures.FeatureGates().Enabled(clientgofeatures.WatchListClient))
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		typedFactory := informers.NewSharedInformerFactoryWithOptions(t.clientset(), 0, informers.WithNamespace(t.namespace()))
		dynamicFactory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamicClient, 0, t.namespace(), nil)
		metadataFactory := metadatainformer.NewFilteredSharedInformerFactory(partial, 0, t.namespace(), nil)
		seen := &sightings{}
		for name, informer := range map[string]cache.SharedIndexInformer{
			"typed ConfigMap":     typedFactory.Core().V1().ConfigMaps().Informer(),
			"typed Deployment":    typedFactory.Apps().V1().Deployments().Informer(),
			"dynamic Widget":      dynamicFactory.ForResource(widgets).Informer(),
			"dynamic ConfigMap":   dynamicFactory.ForResource(maps).Informer(),
			"metadata Widget":     metadataFactory.ForResource(widgets).Informer(),
			"metadata Deployment": metadataFactory.ForResource(deployments).Informer(),
		} {
			if err := seen.of(name, informer); err != nil {
				return err
			}
			go informer.Run(ctx.Done())
			if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
				return fmt.Errorf("%s: no sync", name)
			}
		}
		if err := someLife(ctx, t, dynamicClient.Resource(widgets).Namespace(t.namespace())); err != nil {
			return err
		}
		// Three stories of one object, each seen by two informers.
		if err := until(ctx, "18 sightings", func(context.Context) (bool, error) { return len(seen.sorted()) >= 18, nil }); err != nil {
			t.saw = seen.sorted()
			return err
		}
		t.saw = append(t.saw, seen.sorted()...)
		return nil
	})
	t.check(ctx, "tear down", func(ctx context.Context) error {
		return definitions.ApiextensionsV1().CustomResourceDefinitions().Delete(ctx, definition.Name, metav1.DeleteOptions{})
	})
	return nil
}

// someLife makes, changes and deletes an object of each of three kinds.
func someLife(ctx context.Context, t *checks, widgets dynamic.ResourceInterface) error {
	typed := t.clientset()
	object := configMap(t.namespace(), "life", map[string]string{"a": "1"})
	if _, err := typed.CoreV1().ConfigMaps(t.namespace()).Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	if _, err := typed.AppsV1().Deployments(t.namespace()).Create(ctx, deployment(t.namespace(), "life"), metav1.CreateOptions{}); err != nil {
		return err
	}
	widget := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"image": "nginx"}}}
	widget.SetGroupVersionKind(widgetsV1.WithKind("Widget"))
	widget.SetAPIVersion("informers." + widgetGroup + "/v1")
	widget.SetName("life")
	if _, err := widgets.Create(ctx, widget, metav1.CreateOptions{}); err != nil {
		return err
	}
	patch := []byte(`{"metadata":{"labels":{"changed":"yes"}}}`)
	if _, err := typed.CoreV1().ConfigMaps(t.namespace()).Patch(ctx, "life", "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
		return err
	}
	if _, err := typed.AppsV1().Deployments(t.namespace()).Patch(ctx, "life", "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
		return err
	}
	if _, err := widgets.Patch(ctx, "life", "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := typed.CoreV1().ConfigMaps(t.namespace()).Delete(ctx, "life", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := typed.AppsV1().Deployments(t.namespace()).Delete(ctx, "life", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return widgets.Delete(ctx, "life", metav1.DeleteOptions{})
}

// sightings are what informers told, in whatever order they told it.
type sightings struct {
	mutex sync.Mutex
	lines []string
}

func (seen *sightings) of(name string, informer cache.SharedIndexInformer) error {
	tell := func(what string, object any) {
		found, isObject := object.(metav1.Object)
		if !isObject || found.GetName() != "life" {
			return
		}
		_, isTyped := object.(runtime.Object)
		seen.mutex.Lock()
		defer seen.mutex.Unlock()
		seen.lines = append(seen.lines, fmt.Sprintf("%s %s %v %v", name, what, found.GetLabels(), isTyped))
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("added", object) },
		UpdateFunc: func(_, object any) { tell("updated", object) },
		DeleteFunc: func(object any) { tell("deleted", object) },
	})
	return err
}

func (seen *sightings) sorted() []string {
	seen.mutex.Lock()
	defer seen.mutex.Unlock()
	lines := append([]string(nil), seen.lines...)
	sort.Strings(lines)
	return lines
}
