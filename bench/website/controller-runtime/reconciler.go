package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const fieldOwner = client.FieldOwner("website-operator")

// reconciler applies a child only when the cached one does not say all that is desired, as careful operators do.
type reconciler struct {
	client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	website := &Website{}
	if err := r.Get(ctx, request.NamespacedName, website); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config, deployment, service := configMapOf(website), deploymentOf(website), serviceOf(website)
	live := &corev1.ConfigMap{}
	if err := r.settle(ctx, website, config, live, func() bool { return equality.Semantic.DeepDerivative(config.Data, live.Data) }); err != nil {
		return ctrl.Result{}, err
	}
	running := &appsv1.Deployment{}
	if err := r.settle(ctx, website, deployment, running, func() bool {
		return equality.Semantic.DeepDerivative(deployment.Spec, running.Spec)
	}); err != nil {
		return ctrl.Result{}, err
	}
	served := &corev1.Service{}
	if err := r.settle(ctx, website, service, served, func() bool {
		return equality.Semantic.DeepDerivative(service.Spec, served.Spec)
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.tell(ctx, website, running.Status.ReadyReplicas)
}

// settle reads the child into live, and applies what is desired unless all of it is there.
func (r *reconciler) settle(ctx context.Context, owner *Website, desired, live client.Object, isAsDesired func() bool) error {
	if err := controllerutil.SetControllerReference(owner, desired, r.Scheme()); err != nil {
		return err
	}
	err := r.Get(ctx, client.ObjectKeyFromObject(desired), live)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err == nil && metav1.IsControlledBy(live, owner) && equality.Semantic.DeepDerivative(desired.GetLabels(), live.GetLabels()) && isAsDesired() {
		return nil
	}
	return r.Patch(ctx, desired, client.Apply, fieldOwner, client.ForceOwnership)
}

func (r *reconciler) tell(ctx context.Context, website *Website, ready int32) error {
	condition := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Pods", ObservedGeneration: website.Generation}
	if ready >= website.Spec.Replicas {
		condition.Status = metav1.ConditionTrue
	}
	status := website.deepCopy().Status
	changed := apimeta.SetStatusCondition(&status.Conditions, condition)
	if !changed && status.ObservedGeneration == website.Generation && status.Replicas == ready {
		return nil
	}
	status.ObservedGeneration, status.Replicas = website.Generation, ready
	told := &Website{
		TypeMeta:   metav1.TypeMeta{APIVersion: websitesV1.String(), Kind: "Website"},
		ObjectMeta: metav1.ObjectMeta{Name: website.Name, Namespace: website.Namespace, UID: website.UID},
		Status:     status,
	}
	return r.Status().Patch(ctx, told, client.Apply, fieldOwner, client.ForceOwnership)
}

func labelsOf(website *Website) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "website", "app.kubernetes.io/instance": website.Name}
}

func metaOf(website *Website) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: website.Name, Namespace: website.Namespace, Labels: labelsOf(website)}
}

func configMapOf(website *Website) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metaOf(website),
		Data:       map[string]string{"title": website.Spec.Title, "index.html": "<!doctype html><title>" + website.Spec.Title + "</title>"},
	}
}

func deploymentOf(website *Website) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metaOf(website),
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(website.Spec.Replicas),
			Selector: &metav1.LabelSelector{MatchLabels: labelsOf(website)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labelsOf(website)},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{{
						Name:         "web",
						Image:        "registry.example.com/web:1",
						Ports:        []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
						Resources:    corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("64Mi")}},
						VolumeMounts: []corev1.VolumeMount{{Name: "content", MountPath: "/content"}},
					}},
					Volumes: []corev1.Volume{{Name: "content", VolumeSource: corev1.VolumeSource{
						ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: website.Name}},
					}}},
				},
			},
		},
	}
}

func serviceOf(website *Website) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: metaOf(website),
		Spec: corev1.ServiceSpec{
			Selector: labelsOf(website),
			Ports:    []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http"), Protocol: corev1.ProtocolTCP}},
		},
	}
}
