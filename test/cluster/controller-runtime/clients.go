package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var scheme = newScheme()

func newScheme() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(all))
	utilruntime.Must(apiextensionsv1.AddToScheme(all))
	utilruntime.Must(addWidgets(all))
	return all
}

// namespace is the group's own.
func (t *checks) namespace() string {
	return "go-" + strings.ReplaceAll(t.group, " ", "-")
}

// asProtobuf is how most of Kubernetes' own clients talk about built-in kinds.
func (t *checks) asProtobuf() *rest.Config {
	config := rest.CopyConfig(t.config)
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	return config
}

func newClientset(config *rest.Config) (*kubernetes.Clientset, error) {
	return kubernetes.NewForConfig(config)
}

func (t *checks) clientset() *kubernetes.Clientset {
	return kubernetes.NewForConfigOrDie(t.asProtobuf())
}

func (t *checks) client() (client.Client, error) {
	return client.New(t.config, client.Options{Scheme: scheme})
}

func makeNamespace(ctx context.Context, t *checks) error {
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.namespace()}}
	_, err := t.clientset().CoreV1().Namespaces().Create(ctx, object, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// until polls as most operators' tests do.
func until(ctx context.Context, what string, met func(ctx context.Context) (bool, error)) error {
	if err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, checkTimeout, true, met); err != nil {
		return fmt.Errorf("waited for %s: %w", what, err)
	}
	return nil
}

// gone is met once the object is not there.
func gone(reader client.Reader, object client.Object) func(ctx context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		err := reader.Get(ctx, client.ObjectKeyFromObject(object), object)
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	}
}

var wholeObject = regexp.MustCompile(`Invalid value: "\{.*\}"`)

// withoutObject leaves out the object that a refused patch made: it has uids, versions and times, and the order of its fields says nothing.
func withoutObject(text string) string {
	return wholeObject.ReplaceAllString(text, "Invalid value: (an object)")
}

// refused notes the text of a refusal and says whether it is of the expected kind.
func (t *checks) refused(err error, isExpected func(error) bool) error {
	if err == nil {
		return fmt.Errorf("was accepted")
	}
	t.see("%s", withoutObject(err.Error()))
	if status := apierrors.APIStatus(nil); asStatus(err, &status) && status.Status().Details != nil {
		for _, cause := range status.Status().Details.Causes {
			t.see("%s %s: %s", cause.Type, cause.Field, withoutObject(cause.Message))
		}
	}
	if !isExpected(err) {
		return fmt.Errorf("refused for another reason: %w", err)
	}
	return nil
}

func configMap(namespace, name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: data}
}

func expect[T comparable](what string, found, expected T) error {
	if found != expected {
		return fmt.Errorf("%s: found %v, expected %v", what, found, expected)
	}
	return nil
}
