package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	finalizer  = widgetGroup + "/cleanup"
	fieldOwner = client.FieldOwner("widget-operator")
	colorIndex = "spec.color"
)

// newManager puts together an operator: webhooks, leader election, cache, index and one reconciler.
func newManager(t *checks, made *hooks) (ctrl.Manager, error) {
	manager, err := ctrl.NewManager(t.config, ctrl.Options{
		Scheme:         scheme,
		WebhookServer:  made.server(),
		Metrics:        metricsserver.Options{BindAddress: "0"},
		Cache:          cache.Options{DefaultNamespaces: map[string]cache.Config{t.namespace(): {}}},
		LeaderElection: true, LeaderElectionID: "widgets", LeaderElectionNamespace: t.namespace(), LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return nil, err
	}
	err = ctrl.NewWebhookManagedBy(manager).For(&Widget{}).WithDefaulter(widgetRules{}).WithValidator(widgetRules{}).Complete()
	if err != nil {
		return nil, err
	}
	err = manager.GetFieldIndexer().IndexField(context.Background(), &Widget{}, colorIndex, func(object client.Object) []string {
		return []string{object.(*Widget).Spec.Color}
	})
	if err != nil {
		return nil, err
	}
	reconciler := &widgetReconciler{Client: manager.GetClient(), events: manager.GetEventRecorderFor("widget-operator")}
	return manager, ctrl.NewControllerManagedBy(manager).
		// The program makes a manager more than once, and metrics know each name once.
		Named("widgets-"+t.namespace()).
		For(&Widget{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{}))).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}, builder.OnlyMetadata).
		Complete(reconciler)
}

// widgetReconciler owns a Deployment and a ConfigMap of each widget by server-side apply.
type widgetReconciler struct {
	client.Client
	events record.EventRecorder
}

func (r *widgetReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := &Widget{}
	if err := r.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !widget.DeletionTimestamp.IsZero() {
		if !controllerutil.RemoveFinalizer(widget, finalizer) {
			return ctrl.Result{}, nil
		}
		r.events.Event(widget, corev1.EventTypeNormal, "Cleaned", "nothing is left")
		return ctrl.Result{}, r.Update(ctx, widget)
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		if err := r.Update(ctx, widget); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.apply(ctx, widget); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.updateStatus(ctx, widget)
}

func (r *widgetReconciler) apply(ctx context.Context, widget *Widget) error {
	owner := metaapply.OwnerReference().WithAPIVersion(widgetsV1.String()).WithKind("Widget").WithName(widget.Name).WithUID(widget.UID).
		WithController(true).WithBlockOwnerDeletion(true)
	labels := map[string]string{"widget": widget.Name}
	data := map[string]string{"color": widget.Spec.Color}
	settings := coreapply.ConfigMap(widget.Name, widget.Namespace).WithOwnerReferences(owner).WithLabels(labels).WithData(data)
	if err := r.Client.Apply(ctx, settings, fieldOwner, client.ForceOwnership); err != nil {
		return err
	}
	container := coreapply.Container().WithName("main").WithImage(widget.Spec.Image)
	template := coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(coreapply.PodSpec().WithContainers(container))
	spec := appsapply.DeploymentSpec().WithReplicas(*widget.Spec.Replicas).WithTemplate(template).
		WithSelector(metaapply.LabelSelector().WithMatchLabels(labels))
	workload := appsapply.Deployment(widget.Name, widget.Namespace).WithOwnerReferences(owner).WithLabels(labels).WithSpec(spec)
	return r.Client.Apply(ctx, workload, fieldOwner, client.ForceOwnership)
}

func (r *widgetReconciler) updateStatus(ctx context.Context, widget *Widget) error {
	workload := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(widget), workload); err != nil {
		// The cache may not know of what was just applied: its event brings the next round.
		return client.IgnoreNotFound(err)
	}
	condition := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Waiting", Message: "no replica is ready"}
	if workload.Status.ReadyReplicas >= *widget.Spec.Replicas {
		condition = metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready", Message: "all replicas are ready"}
	}
	condition.ObservedGeneration = widget.Generation
	before := widget.DeepCopyObject().(*Widget)
	changed := apimeta.SetStatusCondition(&widget.Status.Conditions, condition)
	if !changed && widget.Status.ObservedGeneration == widget.Generation && widget.Status.Replicas == workload.Status.ReadyReplicas {
		return nil
	}
	widget.Status.ObservedGeneration, widget.Status.Replicas = widget.Generation, workload.Status.ReadyReplicas
	widget.Status.Selector = "widget=" + widget.Name
	if err := r.Status().Patch(ctx, widget, client.MergeFrom(before)); err != nil {
		return err
	}
	if changed {
		r.events.Eventf(widget, corev1.EventTypeNormal, condition.Reason, "%s", condition.Message)
	}
	return nil
}

// operator is a running manager.
type operator struct {
	manager ctrl.Manager
	hooks   *hooks
	writer  client.Client
	stop    func() error
}

// startOperator installs definition, webhooks and manager, and waits until it leads.
func startOperator(ctx context.Context, t *checks) (*operator, error) {
	made, err := newHooks()
	if err != nil {
		return nil, err
	}
	writer, err := t.client()
	if err != nil {
		return nil, err
	}
	definition := made.definition()
	if err := writer.Create(ctx, definition); err != nil {
		return nil, err
	}
	if err := until(ctx, "the kind to be served", func(ctx context.Context) (bool, error) {
		return writer.List(ctx, &WidgetList{}) == nil, nil
	}); err != nil {
		return nil, err
	}
	lookup, err := discovery.NewDiscoveryClientForConfig(t.config)
	if err != nil {
		return nil, err
	}
	if err := until(ctx, "its versions to be discovered", discovered(lookup, definition)); err != nil {
		return nil, err
	}
	manager, err := newManager(t, made)
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(running) }()
	stop := func() error {
		defer made.remove()
		cancel()
		if err := <-ended; err != nil {
			return err
		}
		if err := writer.Delete(context.Background(), definition); err != nil {
			return err
		}
		if err := until(context.Background(), "the definition to be gone", gone(writer, definition)); err != nil {
			return err
		}
		// The next operator must not take what is left of this one for its own.
		return until(context.Background(), "its versions to be gone from discovery", undiscovered(lookup, definition))
	}
	select {
	case <-manager.Elected():
	case err := <-ended:
		cancel()
		return nil, fmt.Errorf("the manager ended: %w", err)
	case <-time.After(checkTimeout):
		return nil, fmt.Errorf("the manager does not lead: %w", stop())
	}
	err = until(ctx, "the webhooks to listen", func(context.Context) (bool, error) {
		return manager.GetWebhookServer().StartedChecker()(nil) == nil, nil
	})
	if err != nil {
		return nil, err
	}
	if err := made.install(ctx, writer, t.namespace()); err != nil {
		return nil, err
	}
	return &operator{manager: manager, hooks: made, writer: writer, stop: stop}, webhooksCalled(ctx, writer, t.namespace())
}

// webhooksCalled waits until the server calls both webhooks: it learns of each by a watch of its own, a moment after it was registered.
func webhooksCalled(ctx context.Context, writer client.Client, namespace string) error {
	err := until(ctx, "the mutating webhook to be called", func(ctx context.Context) (bool, error) {
		widget := newWidget(namespace, "probe")
		err := writer.Create(ctx, widget, client.DryRunAll)
		return widget.Spec.Color == "grey", err
	})
	if err != nil {
		return err
	}
	return until(ctx, "the validating webhook to be called", func(ctx context.Context) (bool, error) {
		widget := newWidget(namespace, "probe")
		widget.Spec.Replicas = ptr.To(int32(101))
		err := writer.Create(ctx, widget, client.DryRunAll)
		if apierrors.IsForbidden(err) {
			return true, nil
		}
		return false, err
	})
}

func newWidget(namespace, name string) *Widget {
	return &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: WidgetSpec{Image: "nginx", Replicas: ptr.To(int32(2))}}
}

func oldWidgets() *unstructured.UnstructuredList {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(widgetsV1alpha.WithKind("WidgetList"))
	return list
}

// widgetsGone waits for all: a manager that stops before it has taken its finalizers away would keep the definition from going.
func widgetsGone(ctx context.Context, reader client.Reader, namespace string) error {
	return until(ctx, "the widgets to be gone", func(ctx context.Context) (bool, error) {
		list := &WidgetList{}
		err := reader.List(ctx, list, client.InNamespace(namespace))
		return len(list.Items) == 0, err
	})
}
