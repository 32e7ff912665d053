package main

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func subresourceChecks(ctx context.Context, t *checks) error {
	writer, err := t.client()
	if err != nil {
		return err
	}
	typed := t.clientset()
	object := deployment(t.namespace(), "web")
	t.check(ctx, "scale", func(ctx context.Context) error {
		if err := writer.Create(ctx, object); err != nil {
			return err
		}
		scale := &autoscalingv1.Scale{}
		if err := writer.SubResource("scale").Get(ctx, object, scale); err != nil {
			return err
		}
		t.see("%d %s", scale.Spec.Replicas, scale.Status.Selector)
		scale.Spec.Replicas = 5
		if err := writer.SubResource("scale").Update(ctx, object, client.WithSubResourceBody(scale)); err != nil {
			return err
		}
		found, err := typed.AppsV1().Deployments(t.namespace()).GetScale(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		t.see("%d", found.Spec.Replicas)
		return nil
	})
	t.check(ctx, "status is kept apart from the rest", func(ctx context.Context) error {
		if err := writer.Get(ctx, client.ObjectKeyFromObject(object), object); err != nil {
			return err
		}
		object.Status.Replicas, object.Spec.Replicas = 5, ptr.To(int32(9))
		if err := writer.Status().Update(ctx, object); err != nil {
			return err
		}
		t.see("%d of %d, generation %d", object.Status.Replicas, *object.Spec.Replicas, object.Generation)
		before := object.DeepCopy()
		object.Status.ReadyReplicas = 4
		if err := writer.Status().Patch(ctx, object, client.MergeFrom(before)); err != nil {
			return err
		}
		t.see("%d ready", object.Status.ReadyReplicas)
		return nil
	})
	t.check(ctx, "tokens of service accounts", func(ctx context.Context) error {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace(), Name: "robot"}}
		if err := writer.Create(ctx, account); err != nil {
			return err
		}
		request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: ptr.To(int64(1200))}}
		if err := writer.SubResource("token").Create(ctx, account, request); err != nil {
			return err
		}
		config := rest.AnonymousClientConfig(t.config)
		config.BearerToken = request.Status.Token
		robot, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		who, err := robot.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		t.see("%s %v", who.Status.UserInfo.Username, who.Status.UserInfo.Groups)
		_, err = robot.CoreV1().Secrets(t.namespace()).List(ctx, metav1.ListOptions{})
		return t.refused(err, apierrors.IsForbidden)
	})
	t.check(ctx, "eviction", func(ctx context.Context) error {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace(), Name: "lone"}, Spec: object.Spec.Template.Spec}
		pod.Spec.ServiceAccountName = "robot"
		if err := writer.Create(ctx, pod); err != nil {
			return err
		}
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace(), Name: "lone"}}
		if err := typed.PolicyV1().Evictions(t.namespace()).Evict(ctx, eviction); err != nil {
			return err
		}
		return until(ctx, "the pod to be gone", gone(writer, pod))
	})
	return nil
}

// leaderChecks let two candidates race for a Lease, then the leader leave.
func leaderChecks(ctx context.Context, t *checks) error {
	typed := t.clientset()
	led := make(chan string, 10)
	candidate := func(ctx context.Context, name string) {
		lock := &resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: t.namespace(), Name: "leader"}, Client: typed.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		}
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 20 * time.Second, RenewDeadline: 15 * time.Second, RetryPeriod: 200 * time.Millisecond, ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { led <- name }, OnStoppedLeading: func() {}},
		})
	}
	next := func(ctx context.Context) (string, error) {
		select {
		case name := <-led:
			return name, nil
		case <-ctx.Done():
			return "", fmt.Errorf("nobody leads")
		}
	}
	t.check(ctx, "the lease passes from one to the other", func(ctx context.Context) error {
		firstContext, leave := context.WithCancel(ctx)
		defer leave()
		go candidate(firstContext, "first")
		name, err := next(ctx)
		if err != nil {
			return err
		}
		t.see("%s leads", name)
		secondContext, stop := context.WithCancel(ctx)
		defer stop()
		go candidate(secondContext, "second")
		leave()
		if name, err = next(ctx); err != nil {
			return err
		}
		t.see("%s leads", name)
		lease := &coordinationv1.Lease{}
		if lease, err = typed.CoordinationV1().Leases(t.namespace()).Get(ctx, "leader", metav1.GetOptions{}); err != nil {
			return err
		}
		t.see("held by %s, for %d s", *lease.Spec.HolderIdentity, *lease.Spec.LeaseDurationSeconds)
		return nil
	})
	return nil
}
