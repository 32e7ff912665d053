// Command memcached-operator is an operator as kubebuilder scaffolds it: a finalizer, children by CreateOrUpdate, conditions by an update of the status, and
// leader election. Another one takes its place while it runs.
//
// It says `leading` on standard output when it leads, and ends with SIGTERM.
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
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	lease := flag.String("lease", "", "namespace and name of the Lease, with a space between them")
	flag.Parse()
	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	if err := run(ctrl.SetupSignalHandler(), *lease); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, lease string) error {
	var namespace, name string
	if _, err := fmt.Sscanf(lease, "%s %s", &namespace, &name); err != nil {
		return fmt.Errorf("-lease is 'namespace name': %w", err)
	}
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(addMemcacheds(scheme))
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress:        "0",
		LeaderElection:                true,
		LeaderElectionNamespace:       namespace,
		LeaderElectionID:              name,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Memcached{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}).
		Complete(&reconciler{Client: manager.GetClient()})
	if err != nil {
		return err
	}
	go func() {
		<-manager.Elected()
		fmt.Println("leading")
	}()
	return manager.Start(ctx)
}
