// Command controller-runtime is the operator of the website benchmark as it is written in Go: each Website owns a ConfigMap, a Deployment and a Service.
//
// It says `synced` on standard output as soon as its caches are filled, and ends with SIGTERM.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type settings struct {
	workers int
	pods    bool
	metrics string
	health  string
}

func main() {
	var asked settings
	flag.IntVar(&asked.workers, "workers", 1, "objects that are worked on at the same time")
	flag.BoolVar(&asked.pods, "pods", false, "caches all Pods as well")
	flag.StringVar(&asked.metrics, "metrics", "0", "address of the metrics")
	flag.StringVar(&asked.health, "health", "0", "address of the probes")
	flag.Parse()
	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	if err := run(ctrl.SetupSignalHandler(), asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, asked settings) error {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(addWebsites(scheme))
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: asked.metrics},
		HealthProbeBindAddress: asked.health,
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		Named("website").
		For(&Website{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: asked.workers}).
		Complete(&reconciler{Client: manager.GetClient()})
	if err != nil {
		return err
	}
	if asked.pods {
		if _, err := manager.GetCache().GetInformer(ctx, &corev1.Pod{}); err != nil {
			return err
		}
	}
	go func() {
		if manager.GetCache().WaitForCacheSync(ctx) {
			fmt.Println("synced")
		}
	}()
	return manager.Start(ctx)
}
