package main

import (
	"context"
	"fmt"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "cache.example.com/finalizer"

type reconciler struct {
	client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	memcached := &Memcached{}
	if err := r.Get(ctx, request.NamespacedName, memcached); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !memcached.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(memcached, finalizer) {
			return ctrl.Result{}, r.Update(ctx, memcached)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(memcached, finalizer) {
		if err := r.Update(ctx, memcached); err != nil {
			return ctrl.Result{}, err
		}
	}
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: memcached.Name, Namespace: memcached.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, settings, func() error {
		settings.Data = map[string]string{"port": fmt.Sprint(memcached.Spec.ContainerPort), "retired": "the successor does not write this"}
		return controllerutil.SetControllerReference(memcached, settings, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: memcached.Name, Namespace: memcached.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		shape(memcached, deployment)
		return controllerutil.SetControllerReference(memcached, deployment, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.tell(ctx, memcached, deployment)
}

func shape(memcached *Memcached, deployment *appsv1.Deployment) {
	labels := map[string]string{"app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": memcached.Name}
	deployment.Labels = map[string]string{"app.kubernetes.io/name": "memcached", "example.com/scaffold": "kubebuilder"}
	deployment.Spec.Replicas = ptr.To(memcached.Spec.Size)
	if deployment.Spec.Selector == nil {
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	}
	deployment.Spec.Template.Labels = labels
	deployment.Spec.Template.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsNonRoot: ptr.To(true)}
	if len(deployment.Spec.Template.Spec.Containers) == 0 {
		deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "memcached"}}
	}
	container := &deployment.Spec.Template.Spec.Containers[0]
	container.Image = "registry.example.com/memcached:1.6"
	container.ImagePullPolicy = corev1.PullIfNotPresent
	container.Command = []string{"memcached", "-m=64", "-o", "modern", "-v"}
	container.Ports = []corev1.ContainerPort{{Name: "memcached", ContainerPort: memcached.Spec.ContainerPort, Protocol: corev1.ProtocolTCP}}
}

func (r *reconciler) tell(ctx context.Context, memcached *Memcached, deployment *appsv1.Deployment) error {
	before := memcached.deepCopy().Status
	memcached.Status.Nodes = []string{deployment.Name}
	available := metav1.Condition{Type: "Available", Status: metav1.ConditionTrue, Reason: "Reconciling", Message: "The Deployment is there"}
	apimeta.SetStatusCondition(&memcached.Status.Conditions, available)
	degraded := metav1.Condition{Type: "Degraded", Status: metav1.ConditionFalse, Reason: "Finalizing", Message: "Nothing is wrong"}
	apimeta.SetStatusCondition(&memcached.Status.Conditions, degraded)
	if reflect.DeepEqual(before, memcached.Status) {
		return nil
	}
	return r.Status().Update(ctx, memcached)
}
