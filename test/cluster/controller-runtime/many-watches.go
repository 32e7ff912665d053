package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// Goroutines of connections that are kept, and of what else a client does: far fewer than one a watch.
const fewGoroutines = 20

// manyWatches opens watches beside each other and wants the same event of each, while ordinary requests are answered, all over this major version of HTTP.
// When they are stopped, their goroutines end.
func manyWatches(ctx context.Context, t *checks, protocols []string, major int) error {
	const count = 120
	config := t.asProtobuf()
	config.NextProtos = protocols
	versions := &httpVersions{}
	config.Wrap(versions.wrap)
	typed, err := newClientset(config)
	if err != nil {
		return err
	}
	configMaps := typed.CoreV1().ConfigMaps(t.namespace())
	list, err := configMaps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	before := runtime.NumGoroutine()
	var open []watch.Interface
	defer func() {
		for _, frames := range open {
			frames.Stop()
		}
	}()
	for range count {
		frames, err := configMaps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
		if err != nil {
			return err
		}
		open = append(open, frames)
	}
	made, err := configMaps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "many-"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	for _, frames := range open {
		select {
		case event := <-frames.ResultChan():
			if object, isMap := event.Object.(*corev1.ConfigMap); !isMap || object.Name != made.Name {
				return fmt.Errorf("a watch saw %v", event)
			}
		case <-ctx.Done():
			return fmt.Errorf("a watch saw nothing")
		}
	}
	if answers := versions.answers(); len(answers) != 1 || answers[major] != count+2 {
		return fmt.Errorf("answers by the major version of HTTP: %v, want %d of %d", answers, count+2, major)
	}
	for _, frames := range open {
		frames.Stop()
	}
	return until(ctx, "the goroutines of stopped watches to end", func(context.Context) (bool, error) {
		return runtime.NumGoroutine() <= before+fewGoroutines, nil
	})
}

// httpVersions counts answers by the major version of HTTP.
type httpVersions struct {
	mutex sync.Mutex
	seen  map[int]int
}

func (v *httpVersions) wrap(inner http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := inner.RoundTrip(request)
		if err == nil {
			v.mutex.Lock()
			defer v.mutex.Unlock()
			if v.seen == nil {
				v.seen = map[int]int{}
			}
			v.seen[response.ProtoMajor]++
		}
		return response, err
	})
}

func (v *httpVersions) answers() map[int]int {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return maps.Clone(v.seen)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
