package main

import (
	"context"
	"errors"
	"fmt"
	"sort"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

func discoveryChecks(ctx context.Context, t *checks) error {
	lookup, err := discovery.NewDiscoveryClientForConfig(t.config)
	if err != nil {
		return err
	}
	t.check(ctx, "version", func(context.Context) error {
		version, err := lookup.ServerVersion()
		if err != nil {
			return err
		}
		t.see("%s.%s", version.Major, version.Minor)
		return nil
	})
	t.check(ctx, "all groups and resources, aggregated", func(context.Context) error {
		_, lists, err := lookup.ServerGroupsAndResources()
		return t.seeResources(lists, err)
	})
	t.check(ctx, "all groups and resources, legacy", func(context.Context) error {
		lookup.UseLegacyDiscovery = true
		defer func() { lookup.UseLegacyDiscovery = false }()
		_, lists, err := lookup.ServerGroupsAndResources()
		return t.seeResources(lists, err)
	})
	t.check(ctx, "preferred resources", func(context.Context) error {
		lists, err := lookup.ServerPreferredNamespacedResources()
		return t.seeResources(lists, err)
	})
	t.check(ctx, "short names", func(context.Context) error {
		mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(lookup))
		expander := restmapper.NewShortcutExpander(mapper, lookup, nil)
		for _, short := range []string{"deploy", "po", "cm", "svc", "crd", "ing"} {
			resource, err := expander.ResourceFor(schema.GroupVersionResource{Resource: short})
			if err != nil {
				return err
			}
			t.see("%s is %s", short, resource)
		}
		return nil
	})
	t.check(ctx, "OpenAPI v3 of every group version", func(context.Context) error {
		paths, err := lookup.OpenAPIV3().Paths()
		if err != nil {
			return err
		}
		for path, group := range paths {
			if document, err := group.Schema("application/json"); err != nil || len(document) == 0 {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		return nil
	})
	return nil
}

func (t *checks) seeResources(lists []*metav1.APIResourceList, err error) error {
	if err != nil {
		return err
	}
	for _, list := range lists {
		for _, resource := range list.APIResources {
			t.see("%s %s %s %v %v %v", list.GroupVersion, resource.Name, resource.Kind, resource.Namespaced, resource.Verbs, resource.ShortNames)
		}
	}
	sort.Strings(t.saw)
	return nil
}

func definitionChecks(ctx context.Context, t *checks) error {
	definitions, err := apiextensions.NewForConfig(t.asProtobuf())
	if err != nil {
		return err
	}
	httpClient, err := rest.HTTPClientFor(t.config)
	if err != nil {
		return err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(t.config, httpClient)
	if err != nil {
		return err
	}
	definition := widgetDefinition("definitions")
	kind := schema.GroupKind{Group: definition.Spec.Group, Kind: "Widget"}
	api := definitions.ApiextensionsV1().CustomResourceDefinitions()
	t.check(ctx, "a kind is not known before its definition", func(context.Context) error {
		_, err := mapper.RESTMapping(kind)
		return t.refused(err, meta.IsNoMatchError)
	})
	t.check(ctx, "a definition is established", func(ctx context.Context) error {
		if _, err := api.Create(ctx, definition, metav1.CreateOptions{}); err != nil {
			return err
		}
		return until(ctx, "the definition to be established", func(ctx context.Context) (bool, error) {
			return isEstablished(ctx, definitions, definition.Name)
		})
	})
	t.check(ctx, "the mapper learns of the kind", func(ctx context.Context) error {
		return until(ctx, "the kind to be known", func(context.Context) (bool, error) {
			mapping, err := mapper.RESTMapping(kind)
			// The group is told of before its versions, or after.
			var incomplete *apiutil.ErrResourceDiscoveryFailed
			if meta.IsNoMatchError(err) || errors.As(err, &incomplete) {
				return false, nil
			}
			if err == nil {
				t.see("%s %s", mapping.Resource, mapping.Scope.Name())
			}
			return err == nil, err
		})
	})
	dynamicClient, err := dynamic.NewForConfig(t.config)
	if err != nil {
		return err
	}
	widgets := dynamicClient.Resource(schema.GroupVersionResource{Group: kind.Group, Version: "v1", Resource: "widgets"})
	customResourceChecks(ctx, t, widgets)
	t.check(ctx, "a definition goes with its objects", func(ctx context.Context) error {
		if err := api.Delete(ctx, definition.Name, metav1.DeleteOptions{}); err != nil {
			return err
		}
		return until(ctx, "the definition to be gone", func(ctx context.Context) (bool, error) {
			_, err := api.Get(ctx, definition.Name, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return true, nil
			}
			return false, err
		})
	})
	return nil
}

func isEstablished(ctx context.Context, definitions apiextensions.Interface, name string) (bool, error) {
	found, err := definitions.ApiextensionsV1().CustomResourceDefinitions().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	for _, condition := range found.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionTrue, nil
		}
	}
	return false, nil
}

// discovered is met once the server tells of each version of a definition: a moment after it has been established.
func discovered(lookup discovery.DiscoveryInterface, definition *apiextensionsv1.CustomResourceDefinition) func(context.Context) (bool, error) {
	return func(context.Context) (bool, error) {
		for _, version := range definition.Spec.Versions {
			_, err := lookup.ServerResourcesForGroupVersion(definition.Spec.Group + "/" + version.Name)
			if err != nil {
				return false, client.IgnoreNotFound(err)
			}
		}
		return true, nil
	}
}

// undiscovered is met once the server tells of no version of a definition.
func undiscovered(lookup discovery.DiscoveryInterface, definition *apiextensionsv1.CustomResourceDefinition) func(context.Context) (bool, error) {
	return func(context.Context) (bool, error) {
		for _, version := range definition.Spec.Versions {
			_, err := lookup.ServerResourcesForGroupVersion(definition.Spec.Group + "/" + version.Name)
			if !apierrors.IsNotFound(err) {
				return false, err
			}
		}
		return true, nil
	}
}

func customResourceChecks(ctx context.Context, t *checks, widgets dynamic.NamespaceableResourceInterface) {
	inNamespace := widgets.Namespace(t.namespace())
	widget := func(name string, spec map[string]any) *unstructured.Unstructured {
		object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
		object.SetAPIVersion("definitions." + widgetGroup + "/v1")
		object.SetKind("Widget")
		object.SetName(name)
		return object
	}
	t.check(ctx, "custom resources are made, read and replaced", func(ctx context.Context) error {
		made, err := inNamespace.Create(ctx, widget("first", map[string]any{"image": "nginx", "unknown": true}), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		t.see("%v generation %d", made.Object["spec"], made.GetGeneration())
		if err := unstructured.SetNestedField(made.Object, "red", "spec", "color"); err != nil {
			return err
		}
		replaced, err := inNamespace.Update(ctx, made, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		t.see("%v generation %d", replaced.Object["spec"], replaced.GetGeneration())
		if err := unstructured.SetNestedField(replaced.Object, int64(2), "status", "replicas"); err != nil {
			return err
		}
		updated, err := inNamespace.UpdateStatus(ctx, replaced, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		t.see("%v generation %d", updated.Object["status"], updated.GetGeneration())
		return nil
	})
}
